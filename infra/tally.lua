-- Adds what a process has counted to what all have, once, however often it is sent.
--
-- KEYS 1 totals (hash)  2 the number of the last report of this process (string)
-- ARGV 1 number of this report  2 seconds that the number is remembered  3… pairs: what was counted, how often

if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
for i = 3, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
