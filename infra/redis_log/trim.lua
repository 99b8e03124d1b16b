-- Trims a feed to what some group has not finished with; an entry that was never read or never acknowledged stays.
--
-- KEYS 1 feed (stream)
-- ARGV the groups that must be there: one that is not yet made has read nothing
-- Gives how many entries went.

local function parts(id)
  local ms, seq = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(ms), tonumber(seq)
end

local function earlier(a, b)
  local a_ms, a_seq = parts(a)
  local b_ms, b_seq = parts(b)
  return a_ms < b_ms or a_ms == b_ms and a_seq < b_seq
end

if redis.call('EXISTS', KEYS[1]) == 0 then
  return 0
end
local missing = {}
for _, name in ipairs(ARGV) do
  missing[name] = true
end
local keep = nil
for _, fields in ipairs(redis.call('XINFO', 'GROUPS', KEYS[1])) do
  local group = {}
  for i = 1, #fields, 2 do
    group[fields[i]] = fields[i + 1]
  end
  local ms, seq = string.match(group['last-delivered-id'], '^(%d+)-(%d+)$')
  local wanted = ms .. '-' .. string.format('%d', tonumber(seq) + 1)
  if group['pending'] > 0 then
    wanted = redis.call('XPENDING', KEYS[1], group['name'])[2]
  end
  if not keep or earlier(wanted, keep) then
    keep = wanted
  end
  missing[group['name']] = nil
end
if next(missing) then
  return 0
end
return keep and redis.call('XTRIM', KEYS[1], 'MINID', keep) or 0
