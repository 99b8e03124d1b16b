-- Makes one match read-only, so that the append script refuses to write to it; the first reason stays.
--
-- KEYS 1 head (hash)  2 read-only matches (hash)
-- ARGV 1 match  2 why
-- Gives 1 when it was not read-only before.

if redis.call('TYPE', KEYS[1]).ok == 'hash' then
  redis.call('HSETNX', KEYS[1], 'ro', ARGV[2])
end
return redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2])
