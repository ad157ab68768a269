import { createHash } from 'node:crypto'
import type { RedisConnection } from '../redis-connection.ts'
import type { RedisScript } from '../redis-scripts.ts'

/**
 * Scripts on the keys of one session, which lie in one slot of a cluster: KEYS are the session (a
 * hash: its JSON, what it is found by, the length of its log, the ids of its messages), its events
 * (a list) and its messages (sorted by seq). Each change renews the time that all three have left.
 */
function script(lua: string): RedisScript {
  return { lua, sha: createHash('sha1').update(lua).digest('hex') }
}

/** Runs a script on several keys; errors as `RedisConnection.run` has them. */
export function runOnKeys(
  { run }: RedisConnection,
  { lua, sha }: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  return run((redis) =>
    redis.evalsha(sha, keys.length, ...keys, ...args).catch((error: Error) => {
      if (!error.message.startsWith('NOSCRIPT')) throw error
      return redis.eval(lua, keys.length, ...keys, ...args)
    }),
  )
}

const renew = (ttl: string) => `
for _, key in ipairs(KEYS) do redis.call('PEXPIRE', key, ${ttl}) end`

/** ARGV: session, tenant, last_active, ttl. Returns 1, or 0 where the id is taken. */
export const createScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
redis.call('DEL', KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'session', ARGV[1], 'tenant', ARGV[2], 'active', ARGV[3], 'head', 0)
${renew('ARGV[4]')}
return 1`)

/**
 * On the list of a user's sessions, KEYS[1]. ARGV: session, last_active, max, ttl. Returns 1 where
 * it is entered, or 0 where `max` are.
 */
export const enterScript = script(`
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 1`)

/** ARGV: expected, next, last_active, ttl. Returns 1, 0 where another was found, -1 for none. */
export const replaceScript = script(`
local found = redis.call('HGET', KEYS[1], 'session')
if not found then return -1 end
if found ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'session', ARGV[2], 'active', ARGV[3])
${renew('ARGV[4]')}
return 1`)

/**
 * ARGV: tenant or '', before or ''. Returns 1 and the session, 0 where there is none, or 2 and its
 * last activity where that was later.
 */
export const deleteScript = script(`
local found = redis.call('HMGET', KEYS[1], 'session', 'tenant', 'active')
if not found[1] or (ARGV[1] ~= '' and found[2] ~= ARGV[1]) then return {0} end
if ARGV[2] ~= '' and tonumber(found[3]) >= tonumber(ARGV[2]) then return {2, found[3]} end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3])
return {1, found[1]}`)

/**
 * ARGV: after or '', ttl, events. Returns 1 and the last seq; 0 and the head where that is not
 * `after`; -1 for no session; -2 where Redis has dropped the log and kept the session.
 */
export const appendScript = script(`
local head = tonumber(redis.call('HGET', KEYS[1], 'head'))
if not head then return {-1} end
if redis.call('LLEN', KEYS[2]) ~= head then return {-2} end
if ARGV[1] ~= '' and tonumber(ARGV[1]) ~= head then return {0, head} end
for first = 3, #ARGV, 1000 do
  redis.call('RPUSH', KEYS[2], unpack(ARGV, first, math.min(first + 999, #ARGV)))
end
local last = head + #ARGV - 2
redis.call('HSET', KEYS[1], 'head', last)
${renew('ARGV[2]')}
return {1, last}`)

/**
 * ARGV: the first and the last place, how many bytes. Gives what lies there as far as the event
 * with which it has so many; from the last on where that is before the first.
 */
export const readScript = script(`
local first, last, left = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local step = first <= last and 1 or -1
local rows = {}
for at = first, last, 16 * step do
  local to = step == 1 and math.min(at + 15, last) or math.max(at - 15, last)
  local found = redis.call('LRANGE', KEYS[2], math.min(at, to), math.max(at, to))
  for i = 1, #found do
    local row = found[step == 1 and i or #found + 1 - i]
    rows[#rows + 1] = row
    left = left - #row
    if left <= 0 then return rows end
  end
end
return rows`)

/**
 * ARGV: ttl; then seq, id and JSON of each message. Returns 1, 0 where one is there already, -1 for
 * no session.
 */
export const addMessagesScript = script(`
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
local seen = {}
for i = 2, #ARGV, 3 do
  local seq, id = 's' .. ARGV[i], 'm:' .. ARGV[i + 1]
  if seen[seq] or seen[id] then return 0 end
  if redis.call('ZCOUNT', KEYS[3], ARGV[i], ARGV[i]) > 0 then return 0 end
  if redis.call('HEXISTS', KEYS[1], id) == 1 then return 0 end
  seen[seq], seen[id] = true, true
end
for i = 2, #ARGV, 3 do
  redis.call('ZADD', KEYS[3], ARGV[i], ARGV[i + 2])
  redis.call('HSET', KEYS[1], 'm:' .. ARGV[i + 1], ARGV[i])
end
${renew('ARGV[1]')}
return 1`)
