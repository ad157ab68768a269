import { createHash } from 'node:crypto'
import { bucketsPerWindow } from './window.ts'

/** A script for one key, so that it also runs where keys are spread over a cluster. */
export interface RedisScript {
  lua: string
  sha: string
}

function script(lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/**
 * The server's own clock in microseconds: nodes whose clocks differ agree on it. Doubles hold it
 * exactly.
 */
export const serverTime = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]`

/** ARGV: has expected (1/0), expected, has next (1/0), next, ttl in ms or 0. */
export const compareAndSetScript = script(`
local found = redis.call('GET', KEYS[1])
local same
if ARGV[1] == '1' then same = found == ARGV[2] else same = not found end
if not same then return 0 end
if ARGV[3] ~= '1' then redis.call('DEL', KEYS[1])
elseif ARGV[5] == '0' then redis.call('SET', KEYS[1], ARGV[4])
else redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[5]) end
return 1`)

/**
 * ARGV: max, window in ms, cost. Returns 1, used or 0, used, ms to wait. The same as `countInto`;
 * the key holds opened, last, calls per bucket. A stamp from the future (the server's clock was set
 * back) counts as now: nobody is locked out.
 */
export const countScript = script(`${serverTime}
local max, window, cost = tonumber(ARGV[1]), ARGV[2] * 1000, tonumber(ARGV[3])
local packed = redis.call('GET', KEYS[1])
local found = packed and cmsgpack.unpack(packed) or {}
local kept, used = {}, 0
for i = 1, #found, 3 do
  local last = math.min(found[i + 1], now)
  if last + window > now then
    kept[#kept + 1] = math.min(found[i], now)
    kept[#kept + 1] = last
    kept[#kept + 1] = found[i + 2]
    used = used + found[i + 2]
  end
end
if used + cost > max then
  local excess, freed, last_in_the_way = used + cost - max, 0, now
  for i = 1, #kept, 3 do
    freed = freed + kept[i + 2]
    if freed >= excess then
      last_in_the_way = kept[i + 1]
      break
    end
  end
  return {0, used, math.ceil((last_in_the_way + window - now) / 1000)}
end
if cost > 0 then
  local newest = #kept - 2
  if newest < 1 or now - kept[newest] >= window / ${bucketsPerWindow} then
    kept[#kept + 1] = now
    kept[#kept + 1] = now
    kept[#kept + 1] = cost
  else
    kept[newest + 1] = now
    kept[newest + 2] = kept[newest + 2] + cost
  end
  redis.call('SET', KEYS[1], cmsgpack.pack(kept), 'PX', ARGV[2] + 1)
end
return {1, used + cost}`)

/** ARGV: by, min, max, ttl in ms or 0. Returns 1 or 0 (refused), and the value as text. */
export const addScript = script(`
local by, value = tonumber(ARGV[1]), tonumber(redis.call('GET', KEYS[1]) or '0')
local after = value + by
if by > 0 and after > tonumber(ARGV[3]) or by < 0 and after < tonumber(ARGV[2]) then
  return {0, string.format('%.0f', value)}
end
local text = string.format('%.0f', after)
if by == 0 then return {1, text} end
if after == 0 then redis.call('DEL', KEYS[1])
elseif ARGV[4] == '0' then redis.call('SET', KEYS[1], text)
else redis.call('SET', KEYS[1], text, 'PX', ARGV[4]) end
return {1, text}`)

/**
 * A lease is a hash: owner, fence, until, ttl (the times in microseconds). It outlives its expiry
 * for the fence. What is left is never more than the ttl, also when the server's clock was set
 * back.
 */
const leaseLeft = `${serverTime}
local lease = redis.call('HMGET', KEYS[1], 'owner', 'fence', 'until', 'ttl')
local left = math.min((tonumber(lease[3]) or 0) - now, tonumber(lease[4]) or 0)`

/** How long a fence is remembered after its lease: longer than the wall clock is ever set back. */
const fenceKeptMs = 7 * 24 * 3_600_000

const keepLease = `
redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + ttl))
redis.call('HSET', KEYS[1], 'ttl', string.format('%.0f', ttl))
redis.call('PEXPIRE', KEYS[1], string.format('%.0f', ttl / 1000 + ${fenceKeptMs}))`

/** ARGV: owner, ttl in ms. Returns the fence as text, or nil while held. */
export const acquireLeaseScript = script(`${leaseLeft}
if left > 0 then
  redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + left))
  return false
end
local ttl = ARGV[2] * 1000
local fence = string.format('%.0f', math.max((tonumber(lease[2]) or 0) + 1, now))
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'fence', fence)
${keepLease}
return fence`)

/** ARGV: fence, ttl in ms. */
export const renewLeaseScript = script(`${leaseLeft}
if lease[2] ~= ARGV[1] or left <= 0 then return 0 end
local ttl = ARGV[2] * 1000
${keepLease}
return 1`)

/** ARGV: fence. */
export const releaseLeaseScript = script(`${leaseLeft}
if lease[2] ~= ARGV[1] or left <= 0 then return 0 end
redis.call('HSET', KEYS[1], 'until', '0')
return 1`)

/** Returns owner, fence and ms left, or nil. */
export const leaseHolderScript = script(`${leaseLeft}
if left <= 0 then return false end
return {lease[1], lease[2], math.ceil(left / 1000)}`)
