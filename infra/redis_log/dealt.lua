-- Ends with a mail: what became of it is written down, and its answer scheduled, in the same moment and only the first time.
--
-- KEYS 1 mails to be dealt with (sorted set)  2 this mail (hash)  3 the record (stream)  4 notices (sorted set)  5 the reply (string)
--      6 what is answered once only (string)
-- ARGV 1 the mail's id  2 what became of it (JSON)  3 notice, or "" for none  4 when it is to go out, ms  5 the reply (JSON)
--      6 how long the mark is kept, ms  7 "1" when it is answered once only  8 entries that the record keeps  9 how long the reply is kept, ms
-- Gives 1, or 0 when somebody else was done with it before.

if redis.call('ZREM', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('DEL', KEYS[2])
redis.call('XADD', KEYS[3], 'MAXLEN', '~', ARGV[8], '*', 'mail', ARGV[1], 'became', ARGV[2])
if ARGV[3] == '' then
  return 1
end
if ARGV[7] == '1' and not redis.call('SET', KEYS[6], ARGV[1], 'NX', 'PX', ARGV[6]) then
  return 1
end
redis.call('SET', KEYS[5], ARGV[5], 'PX', ARGV[9])
redis.call('ZADD', KEYS[4], 'NX', ARGV[4], ARGV[3])
return 1
