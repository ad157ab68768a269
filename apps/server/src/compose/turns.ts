import { randomUUID } from 'node:crypto'
import { createRunLeases, createSessionManager, createTurnSaver } from '@dataagent/core'
import type { Session } from '@dataagent/schema'
import type { Config } from '../config/index.ts'
import type { ServerMetrics } from '../deps/index.ts'
import { createWebHITLHandler, toApprovalPolicy } from '../hitl/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Platform } from '../platform/index.ts'
import { createRunBook } from '../runs/index.ts'
import { hasFeature } from '../tenants/index.ts'
import { wakeServers } from './wake-servers.ts'

export const dayMs = 24 * 3_600_000

export interface TurnsOptions
  extends Pick<
    Platform,
    'config' | 'clock' | 'log' | 'tables' | 'kv' | 'hub' | 'tenants' | 'agents' | 'stores'
  > {
  identity: Pick<Identity, 'stillMay' | 'holderOf'>
  /** Whether other processes serve the same database. */
  isShared: boolean
  metrics: Pick<ServerMetrics, 'turnEnded' | 'sessionOpened'>
  /** Milliseconds to come back after, while the server is to be spared. */
  overloadedMs(): number | undefined
  onStop: 'leave' | 'cancel'
  cleanup: AsyncDisposableStack
}

/** Sessions, the runs in them, and who is asked in their course. */
export function createTurns(options: TurnsOptions): Pick<Platform, 'sessions' | 'hitl' | 'runs'> {
  const { config, clock, log, tables, kv, hub, tenants, agents, stores, cleanup } = options
  const { identity } = options
  const leases = createRunLeases({ kv, clock })
  const sessions = cleanup.use(
    createSessionManager({
      ...{ store: stores.sessions, log: stores.events, messages: stores.messages },
      ...{ leases, clock },
      timeoutMs: config.session_timeout * 1000,
      keepMs: keptMs(config),
      limitOf: ({ tenant_id }) => tenants.get(tenant_id)?.max_sessions_per_user ?? null,
      createExecutor: agents.createExecutor,
      onOpen({ tenant_id, user_id, session_id }) {
        const release = hub.upstreams.hold({ tenant_id, user_id, session_id })
        const closed = options.metrics.sessionOpened()
        return () => {
          closed()
          release()
        }
      },
      async onDelete(session_ids) {
        await tables.feedback.deleteOf(session_ids)
        await tables.data.queries.deleteScopes(session_ids)
      },
      onError: (error, session_id) => log.error({ error, session_id }, 'a session failed'),
    }),
  )
  const hitl = createWebHITLHandler({
    approvals: hub.approvals,
    timeoutMs: config.approval_timeout * 1000,
  })
  const saver = createTurnSaver({ log: stores.events, messages: stores.messages })
  const runs = createRunBook({
    ...{ runs: tables.runs, sessions, kv, clock },
    ...{ stillMay: identity.stillMay, holderOf: identity.holderOf },
    ...{ store: stores.sessions, log: stores.events, owner: randomUUID() },
    ...{ leases, isShared: options.isShared, isKvCommon: config.redis_url !== undefined },
    approvalsOf: (session, canAsk) =>
      toApprovalPolicy({
        ...{ handler: hitl, canAsk, autoApprovedBy: () => autoApprovedBy(session, options) },
      }),
    // From its first turn on, a session has its user's servers as they were then.
    async prepare({ tenant_id, user_id, session_id, state }, wait) {
      await hub.sessions.open({ tenant_id, user_id, session_id })
      const without = new Set(state.servers_off)
      await wakeServers({ hub, clock, without, ...wait }, { tenant_id, user_id }, session_id)
    },
    approvals: hub.approvals,
    saveTurns: async (session_id) => void (await saver.save(session_id)),
    overloadedMs: options.overloadedMs,
    onLog: ({ level, message, ...fields }) => log[level](fields, message),
    onTurn: options.metrics.turnEnded,
    onError: (error, session_id) => log.error({ error, session_id }, 'a run failed'),
    settings: {
      maxRunning: config.max_running_turns,
      maxWaiting: config.max_waiting_turns,
      maxPerTenant: toShare(config, config.max_running_turns),
      maxWaitingPerTenant: toShare(config, config.max_waiting_turns),
      onDisconnect: config.on_disconnect,
      reconnectMs: config.reconnect_window * 1000,
      onStop: options.onStop,
    },
  })
  return { sessions, hitl, runs }
}

function autoApprovedBy(
  { tenant_id, assistant_id, state }: Session,
  { tenants, agents }: Pick<Platform, 'tenants' | 'agents'>,
): 'session' | 'agent' | undefined {
  if (!hasFeature(tenants.featuresOf(tenant_id), 'auto_approve')) return undefined
  if (state.auto_approve) return 'session'
  return agents.get(tenant_id, assistant_id)?.auto_approve ? 'agent' : undefined
}

/** How long a session is there after its last turn. */
export function keptMs({ session_timeout, session_keep_days }: Config): number {
  return Math.max(session_timeout * 1000, session_keep_days * dayMs)
}

/** One tenant of several leaves a quarter of the places to others. */
function toShare({ multi_tenant }: Config, all: number): number {
  return multi_tenant ? Math.ceil((all * 3) / 4) : all
}
