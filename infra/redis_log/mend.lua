-- Puts a head's status and deadline, and the deadline's place in the index, in order with what the match's events come to.
--
-- KEYS 1 head (hash)  2 due (sorted set)
-- ARGV 1 match  2 version  3 chain head (hex)  4 status  5 next deadline, ms, or ""
-- Gives what differed, as "status" and "deadline"; nothing is touched when the match has gone on meanwhile, is archived or read-only.

local was = redis.call('HMGET', KEYS[1], 'v', 'h', 'st', 'due', 'ro')
local differed = {}
if was[1] ~= ARGV[2] or was[2] ~= ARGV[3] or was[3] == 'archived' or was[5] then
  return differed
end
if was[3] ~= ARGV[4] then
  redis.call('HSET', KEYS[1], 'st', ARGV[4])
  differed[#differed + 1] = 'status'
end
local indexed = redis.call('ZSCORE', KEYS[2], ARGV[1]) or ''
if (was[4] or '') ~= ARGV[5] or tonumber(indexed) ~= tonumber(ARGV[5]) then
  if ARGV[5] == '' then
    redis.call('HDEL', KEYS[1], 'due')
    redis.call('ZREM', KEYS[2], ARGV[1])
  else
    redis.call('HSET', KEYS[1], 'due', ARGV[5])
    redis.call('ZADD', KEYS[2], ARGV[5], ARGV[1])
  end
  differed[#differed + 1] = 'deadline'
end
return differed
