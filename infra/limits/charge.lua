-- Writes down what a caller has used of a quota, and says whether one more request fits (GCRA: the key holds when all that was used is paid off).
-- What was let through before it was counted is a debt that is paid off as well, so that over time nobody gets more than the quota.
--
-- KEYS 1 the caller's account
-- ARGV 1 µs that one request takes to pay off  2 requests of the quota  3 requests let through since the last time
-- Brings {1 when one more fits, else 0; whole requests that are left after it; µs until one more fits}

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local each, most = tonumber(ARGV[1]), tonumber(ARGV[2])
local paid = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + ARGV[3] * each
local room = now + each * most - paid
local fits = room >= each and 1 or 0
paid = paid + fits * each
redis.call('SET', KEYS[1], string.format('%.0f', paid), 'PX', math.ceil((paid - now) / 1000) + 1)
return {fits, math.floor(math.max(now + each * most - paid, 0) / each), fits == 1 and 0 or math.ceil(each - room)}
