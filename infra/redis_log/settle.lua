-- Settles one feed entry for one group: what follows from it is scheduled exactly once, however often this is sent.
--
-- KEYS 1 feed (stream)  2 notices (sorted set)
-- ARGV 1 group  2 entry id  3 how many of the next are (time in ms, notice) pairs' halves; after them the notices to withdraw
-- Gives 1, or 0 when the entry had been settled before.

local kind = redis.call('TYPE', KEYS[2]).ok
if kind ~= 'zset' and kind ~= 'none' then
  return redis.error_reply('WRONGTYPE ' .. KEYS[2] .. ' is a ' .. kind)
end
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return 0
end
local adding = tonumber(ARGV[3])
for i = 4 + adding, #ARGV do
  redis.call('ZREM', KEYS[2], ARGV[i])
end
for i = 4, 3 + adding, 2 do
  redis.call('ZADD', KEYS[2], 'NX', ARGV[i], ARGV[i + 1])
end
return 1
