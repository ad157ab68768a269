import { createHash } from 'node:crypto'
import { type Clock, systemClock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { GatewaySettings } from '../gateway-options.ts'
import type { GroupNames } from '../groups/index.ts'
import type { GatewayLimits, LimitedCaller, LimitVerdict } from './contract.ts'
import { createLocalCounts } from './local-counts.ts'

export interface GatewayLimitsOptions {
  kv: Pick<Kv, 'count'>
  /** Tells which tool a name means: names of no tool count together. */
  names: Pick<GroupNames, 'refOf'>
  settings?: GatewaySettings['rate_limits']
  clock?: Clock | undefined
}

export const withinLimits: LimitVerdict = { status: 'ok' }
/** What a client may call anything: they count as one. */
const otherMethod = 'other'
const counted = new Set([
  'initialize',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  // No method of the protocol: the stream of a session is opened.
  'stream',
])
/** What the client says to a request that is under way. */
const countedBySession = new Set(['answer', 'notifications/cancelled'])
const longestKey = 512

export function createGatewayLimits(options: GatewayLimitsOptions): GatewayLimits {
  const { kv, names, clock = systemClock } = options
  const { enabled = true, window_seconds = 60 } = options.settings ?? {}
  const { list_limit = 120, call_limit = 240 } = options.settings ?? {}
  const windowMs = window_seconds * 1_000
  const local = createLocalCounts(clock)

  async function count(key: string, max: number): Promise<LimitVerdict> {
    try {
      // What was let through while the KV was away is not in it.
      const room = Math.max(0, max - local.own(key))
      const window = await kv.count(key, { max: room, windowMs })
      local.note(key, window.used, windowMs)
      if (window.status === 'ok') return withinLimits
      return { status: 'limited', retryAfterMs: Math.max(1, window.retryAfterMs) }
    } catch {
      const retryAfterMs = local.take(key, { max, windowMs })
      return retryAfterMs === 0 ? withinLimits : { status: 'limited', retryAfterMs }
    }
  }

  function toolOf({ group_id }: LimitedCaller, name: unknown): string {
    const ref = typeof name === 'string' ? names.refOf(group_id, name) : undefined
    return ref ? `${ref.server_id}/${ref.name}` : ''
  }

  return {
    async take(caller, { method, params, session_id }) {
      if (!enabled) return withinLimits
      if (session_id !== undefined && countedBySession.has(method)) {
        return count(toKey(caller, method, session_id), call_limit)
      }
      const own = counted.has(method) ? method : otherMethod
      // Some make a connection for each call: `initialize` is not to run out before calls do.
      const max = own.endsWith('/list') ? list_limit : call_limit
      if (own !== 'tools/call') return count(toKey(caller, own), max)
      return count(toKey(caller, own, toolOf(caller, params?.name)), max)
    },
  }
}

/** As JSON no part can pass for two. */
function toKey({ group_id, quota_key }: LimitedCaller, method: string, of = ''): string {
  const parts = JSON.stringify([group_id, quota_key, method, of])
  if (parts.length <= longestKey) return `mcp:rl:${parts}`
  return `mcp:rl:#${createHash('sha256').update(parts).digest('hex')}`
}
