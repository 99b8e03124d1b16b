-- Appends events to one match, all or none, and says why not: the one place where a match is written (store.md).
--
-- KEYS  1 events (stream)  2 head (hash)  3 idempotency (hash)  4 feed (stream)  5 due (sorted set); all of one slot
-- ARGV  1 match  2 expected version  3 expected chain head, "" at version 0  4 chain head after these events
--       5 now, ms  6 tolerated skew, ms  7 move | timeout | admin  8 status  9 next deadline, ms, or ""
--      10 notes for the feed  11 fingerprint, or "" without an idempotency key  12 how long that is kept, ms
--      13 "again" when an earlier sending of this very append may have been carried out, else ""
--      14… type and body of each event
-- Gives the name of the outcome, then what belongs to it.
--
-- Redis does not roll a script back: every check stands before the first write.

local events, head, idem, feed, due = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local expected, now, first = tonumber(ARGV[2]), tonumber(ARGV[5]), 14
local count = (#ARGV - first + 1) / 2

local function fits(name, wanted)
  local found = redis.call('TYPE', name).ok
  return found == wanted or found == 'none'
end

-- A key that is read here fails where it is of another type, so the usual move asks for the types of the other two alone.
local used = redis.pcall('HMGET', idem, 'fp', 'v', 'n')
local was = redis.pcall('HMGET', head, 'v', 'h', 'st', 'due', 'ro')
local last = redis.pcall('XREVRANGE', events, '+', '-', 'COUNT', 1)
local wrong = used.err or was.err or last.err
if wrong or not (fits(feed, 'stream') and fits(due, 'zset')) then
  for place, wanted in ipairs({'stream', 'hash', 'hash', 'stream', 'zset'}) do
    if not fits(KEYS[place], wanted) then
      return {'BAD-TYPE', KEYS[place], redis.call('TYPE', KEYS[place]).ok, wanted}
    end
  end
  error(wrong)  -- something else, as a user who may not read
end

-- A re-sent append that finds its own events was carried out the first time. Only a re-sent one may look: two requests
-- of the same millisecond can be alike to the byte, and then one of them was second.
if ARGV[13] == 'again' then
  local there = redis.call('XRANGE', events, (expected + 1) .. '-0', (expected + count) .. '-0')
  local same = #there == count
  for i = 1, #there do
    local fields = there[i][2]
    same = same and fields[2] == ARGV[first + 2 * i - 2] and fields[4] == ARGV[first + 2 * i - 1]
  end
  if same then
    return {'OK'}
  end
end

if ARGV[11] ~= '' then
  if used[1] == ARGV[11] then
    return {'REPLAY', tonumber(used[2]), tonumber(used[3])}
  elseif used[1] then
    return {'KEY-REUSED'}
  end
end

local version, deadline = tonumber(was[1] or '0'), tonumber(was[4] or '')
if was[5] then
  return {'READ-ONLY', was[5]}
end
local tip = last[1] and last[1][1] or '0-0'
if version < expected then  -- nobody can know of events that were never there
  return tip == version .. '-0' and {'LOST', version} or {'TIP', tip, version}
end
if version ~= expected then
  return {'CONFLICT', version}
end
if (was[2] or '') ~= ARGV[3] then
  return {'CHAIN', was[2] or ''}
end
if was[3] == 'over' or was[3] == 'archived' then
  return {'CLOSED'}
end

local time = redis.call('TIME')
local skew = now - (tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000))
if math.abs(skew) > tonumber(ARGV[6]) then
  return {'SKEW', skew}
end
if ARGV[7] == 'move' and deadline and now > deadline then
  return {'LATE', deadline}
end
if ARGV[7] == 'timeout' and not (deadline and now > deadline) then
  return {'EARLY', deadline}
end

if tip ~= version .. '-0' then
  return {'TIP', tip, version}
end

for i = 1, count do
  redis.call('XADD', events, (version + i) .. '-0', 't', ARGV[first + 2 * i - 2], 'd', ARGV[first + 2 * i - 1])
end
version = version + count
if ARGV[9] == '' then
  redis.call('HSET', head, 'v', version, 'h', ARGV[4], 'st', ARGV[8], 'at', ARGV[5])
  redis.call('HDEL', head, 'due')
  redis.call('ZREM', due, ARGV[1])
else
  redis.call('HSET', head, 'v', version, 'h', ARGV[4], 'st', ARGV[8], 'at', ARGV[5], 'due', ARGV[9])
  redis.call('ZADD', due, ARGV[9], ARGV[1])
end
redis.call('XADD', feed, '*', 'm', ARGV[1], 'v', version, 'n', ARGV[10])
if ARGV[11] ~= '' then
  redis.call('HSET', idem, 'fp', ARGV[11], 'v', version, 'n', count)
  redis.call('PEXPIRE', idem, ARGV[12])
end
return {'OK'}
