import { randomUUID } from 'node:crypto'
import { createRunLeases, createSessionManager, createTurnSaver } from '@dataagent/core'
import type { Config } from '../config/index.ts'
import { createWebHITLHandler, toApprovalPolicy } from '../hitl/index.ts'
import type { Platform } from '../platform/index.ts'
import { createAbandoning, createRunBook } from '../runs/index.ts'
import { wakeServers } from './wake-servers.ts'

export const dayMs = 24 * 3_600_000

export interface TurnsOptions
  extends Pick<
    Platform,
    'config' | 'clock' | 'log' | 'tables' | 'kv' | 'hub' | 'tenants' | 'agents' | 'stores'
  > {
  /** Whether other processes serve the same database. */
  isShared: boolean
  /** Milliseconds to come back after, while the server is to be spared. */
  overloadedMs(): number | undefined
  cleanup: AsyncDisposableStack
}

/** Sessions, the runs in them, and who is asked in their course. */
export function createTurns(options: TurnsOptions): Pick<Platform, 'sessions' | 'hitl' | 'runs'> {
  const { config, clock, log, tables, kv, hub, tenants, agents, stores, cleanup } = options
  const abandoning = createAbandoning()
  const sessions = cleanup.use(
    createSessionManager({
      ...{ store: stores.sessions, log: stores.events, messages: stores.messages, kv, clock },
      timeoutMs: config.session_timeout * 1000,
      keepMs: keptMs(config),
      limitOf: ({ tenant_id }) => tenants.get(tenant_id)?.max_sessions_per_user ?? null,
      createExecutor: (session, { leases }) =>
        agents.createExecutor(session, { leases: abandoning.wrap(leases) }),
      onOpen: ({ tenant_id, user_id, session_id }) =>
        hub.upstreams.hold({ tenant_id, user_id, session_id }),
      onError: (error, session_id) => log.error({ error, session_id }, 'a session failed'),
    }),
  )
  const hitl = createWebHITLHandler({
    approvals: hub.approvals,
    timeoutMs: config.approval_timeout * 1000,
  })
  const saver = createTurnSaver({ log: stores.events, messages: stores.messages })
  const runs = createRunBook({
    ...{ runs: tables.runs, users: tables.users, apiKeys: tables.apiKeys, sessions, kv, clock },
    ...{ store: stores.sessions, log: stores.events, owner: randomUUID() },
    ...{ abandoning, isShared: options.isShared, leases: createRunLeases({ kv, clock }) },
    approvalsOf: ({ state }, canAsk) =>
      toApprovalPolicy({ handler: hitl, canAsk, autoApprove: state.auto_approve }),
    // From its first turn on, a session has its user's servers as they were then.
    async prepare({ tenant_id, user_id, session_id }, wait) {
      await hub.sessions.open({ tenant_id, user_id, session_id })
      await wakeServers({ hub, clock, ...wait }, { tenant_id, user_id }, session_id)
    },
    approvals: hub.approvals,
    saveTurns: async (session_id) => void (await saver.save(session_id)),
    overloadedMs: options.overloadedMs,
    onLog: ({ level, message, ...fields }) => log[level](fields, message),
    onError: (error, session_id) => log.error({ error, session_id }, 'a run failed'),
    settings: {
      maxRunning: config.max_running_turns,
      maxWaiting: config.max_waiting_turns,
      maxPerTenant: toShare(config),
      onDisconnect: config.on_disconnect,
      reconnectMs: config.reconnect_window * 1000,
    },
  })
  return { sessions, hitl, runs }
}

/** How long a session is there after its last turn. */
export function keptMs({ session_timeout, session_keep_days }: Config): number {
  return Math.max(session_timeout * 1000, session_keep_days * dayMs)
}

/** One tenant of several leaves a quarter of the places to others. */
function toShare({ multi_tenant, max_running_turns }: Config): number {
  return multi_tenant ? Math.ceil((max_running_turns * 3) / 4) : max_running_turns
}
