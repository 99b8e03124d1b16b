-- Takes the notices whose time has come: each is put off to the end of its lease in the same moment, so that nobody else takes it before.
--
-- KEYS 1 notices (sorted set)
-- ARGV 1 now, ms  2 end of the lease, ms  3 how many at most

local taken = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, notice in ipairs(taken) do
  redis.call('ZADD', KEYS[1], 'XX', ARGV[2], notice)
end
return taken
