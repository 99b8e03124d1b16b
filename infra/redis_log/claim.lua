-- Claims one notice for sending.
--
-- KEYS 1 notices (sorted set)  2 the mark that somebody is sending it (string)
-- ARGV 1 notice  2 how long the claim holds, ms  3 a word of this claim alone: sent twice after a lost reply, it is still one claim
-- Gives 1, or 0 when the notice is not in any more or somebody else is sending it.

if not redis.call('ZSCORE', KEYS[1], ARGV[1]) then
  return 0
end
redis.call('SET', KEYS[2], ARGV[3], 'NX', 'PX', ARGV[2])
return redis.call('GET', KEYS[2]) == ARGV[3] and 1 or 0
