-- Takes a mail in, once: whoever hands it in again, after a lost reply or a crash, hands in nothing new.
--
-- KEYS 1 mails to be dealt with (sorted set)  2 this mail (hash)  3 the mark that it has come (string)
-- ARGV 1 its id  2 when it came, ms  3 its bytes  4 its envelope  5 how long it is remembered, ms
-- Gives 1, or 0 when it had come before.

if not redis.call('SET', KEYS[3], ARGV[2], 'NX', 'PX', ARGV[5]) then
  return 0
end
redis.call('HSET', KEYS[2], 'raw', ARGV[3], 'envelope', ARGV[4])
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
return 1
