-- Lets a read-only match be written to again, with the head that its stored events have.
--
-- KEYS 1 head (hash)  2 read-only matches (hash)  3 events (stream)  4 due (sorted set)
-- ARGV 1 match  2 version  3 chain head (hex)  4 status  5 next deadline, ms, or ""  6 time of the last event, ms
-- Gives 0 when the stream does not end at that version (any more), and then nothing is written.

local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
if not last or last[1] ~= ARGV[2] .. '-0' then
  return 0
end
redis.call('XSETID', KEYS[3], ARGV[2] .. '-0')  -- a stream that remembers events it has lost would take no others in their place
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'v', ARGV[2], 'h', ARGV[3], 'st', ARGV[4], 'at', ARGV[6])
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[4], ARGV[1])
else
  redis.call('HSET', KEYS[1], 'due', ARGV[5])
  redis.call('ZADD', KEYS[4], ARGV[5], ARGV[1])
end
redis.call('HDEL', KEYS[2], ARGV[1])
return 1
