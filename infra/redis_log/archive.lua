-- Takes the events of a match that is over out of Redis, once they are in the archive; the head stays and says so.
--
-- KEYS 1 head (hash)  2 events (stream)
-- ARGV 1 version  2 chain head (hex)  3 SHA-256 (hex) of the bundle in the archive
-- Gives 0 when the match is another one by now, is not over or is read-only, and then nothing is changed.

local was = redis.call('HMGET', KEYS[1], 'v', 'h', 'st', 'ro')
if was[1] ~= ARGV[1] or was[2] ~= ARGV[2] or was[3] ~= 'over' or was[4] then
  return 0
end
redis.call('HSET', KEYS[1], 'st', 'archived', 'arch', ARGV[3])
redis.call('UNLINK', KEYS[2])
return 1
