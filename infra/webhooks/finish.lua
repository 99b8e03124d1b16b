-- Lets go of a webhook that somebody was delivering to, and says when it is to be looked at again.
--
-- KEYS 1 due (sorted set)  2 what waits for it (sorted set)  3 the mark that somebody is at it (string)
-- ARGV 1 webhook  2 not before this time, ms  3 the word of the claim

local first = redis.call('ZRANGE', KEYS[2], 0, 0, 'WITHSCORES')
if first[2] then
  redis.call('ZADD', KEYS[1], math.max(tonumber(first[2]), tonumber(ARGV[2])), ARGV[1])
else
  redis.call('ZREM', KEYS[1], ARGV[1])
end
if redis.call('GET', KEYS[3]) == ARGV[3] then
  redis.call('DEL', KEYS[3])
end
return 1
