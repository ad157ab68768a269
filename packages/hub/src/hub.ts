import { randomUUID } from 'node:crypto'
import { createMasker, createOutage, systemClock } from '@dataagent/guard'
import { type Approvals, createApprovals } from './approvals/index.ts'
import { type Audit, createAudit } from './audit/index.ts'
import { type CallTool, createCallTool, createOpenQuestions } from './call/index.ts'
import { type Catalogue, type CatalogueEntry, createCatalogue } from './catalogue/index.ts'
import {
  type ChangeQuery,
  type ChangeRow,
  createChangeQuery,
  createNote,
  type Note,
} from './changes/index.ts'
import { createCheckGivenArgs } from './check-given-args.ts'
import { createConcealedUpstreams } from './concealing/index.ts'
import { deriveKey } from './derive-key.ts'
import { createExplain, type Explain, type ExplainCall } from './explain.ts'
import { createFeatures, type Features } from './features/index.ts'
import { createHealthHistory, type HealthHistory } from './health-history/index.ts'
import { watchHub } from './hub-metrics.ts'
import type { HubLogEntry, HubOptions, HubSettings } from './hub-options.ts'
import { createHubAuthorizers, createHubServers } from './hub-rooms.ts'
import { createStart } from './hub-start.ts'
import { createFairSlots, createLimiter } from './limits/index.ts'
import { createHubMetrics, type HubMetrics } from './metrics/index.ts'
import { createPolicy, type JudgedContext, type Policy } from './policy/index.ts'
import type { Principal } from './principal.ts'
import { createReadResultTool, createResults, type Results } from './results/index.ts'
import { createRetention } from './retention/index.ts'
import { createRevisions, type Revisions } from './revisions/index.ts'
import type { Servers } from './servers/index.ts'
import { createSessions, type Sessions } from './sessions/index.ts'
import { createSignIns, type SignIns } from './sign-ins/index.ts'
import { noTracer } from './tracing/index.ts'
import type { Upstreams } from './upstreams/index.ts'
import { createValidator } from './validation/index.ts'
import { createWhenOffered, type WhenOffered } from './when-offered.ts'

/** The governed tool layer of one process. What runs a tool is `callTool` alone. */
export interface Hub extends AsyncDisposable {
  callTool: CallTool
  /** The tools that this caller may see now, sorted by name. */
  listTools(context: JudgedContext): readonly CatalogueEntry[]
  /** What servers have besides tools: resources, prompts and the like. */
  features: Features
  explain: Explain
  explainCall: ExplainCall
  /** Resolves when a server offers a tool: servers are connected in the background. */
  whenOffered: WhenOffered
  servers: Omit<Servers, 'visibleTo' | 'differsAt'> & {
    /** In an open session the user's own servers are those that it began with. */
    visibleTo(
      principal: Pick<Principal, 'tenant_id' | 'user_id'>,
      session_id?: string,
    ): ReturnType<Servers['visibleTo']>
  }
  sessions: Sessions
  /** For changes of tables that are not the hub's: their note, to be stored with them. */
  note: Note
  catalogue: Omit<Catalogue, 'observe' | 'addOwn' | 'reload'>
  upstreams: Pick<
    Upstreams,
    'refresh' | 'reconnect' | 'health' | 'onHealth' | 'hold' | 'test' | 'handOver'
  >
  /** How the health of servers has changed lately. */
  healthHistory: Pick<HealthHistory, 'list'>
  policy: Omit<Policy, 'reload'>
  signIns: SignIns
  approvals: Omit<
    Approvals,
    'request' | 'decidedOf' | 'wait' | 'use' | 'givenArgs' | 'start' | 'close'
  >
  audit: Pick<Audit, 'query' | 'tally' | 'verify' | 'flush' | 'waiting'> & {
    /**
     * What was changed in an administrator's tenant: servers, tools, policy, approvals. Newest
     * first. Throws `forbidden` for anyone else.
     */
    changes(by: Principal, query: ChangeQuery): Promise<ChangeRow[]>
  }
  results: Pick<Results, 'read' | 'fit'>
  metrics: Omit<HubMetrics, 'callEnded' | 'approvalDecided'>
  revisions: Pick<Revisions, 'current' | 'unconfirmedMs' | 'check' | 'publish'>
  /**
   * Reads what the store holds and opens for business; servers are connected in the background.
   * Rejects where the store is away; may then be called again.
   */
  start(): Promise<void>
  /** Ends connections and children, stores what was recorded, and closes. */
  close(): Promise<void>
}

/**
 * Puts the rooms of the tool layer together. Makes the journal's folder; reads, opens and starts
 * nothing else before `start`.
 */
export function createHub(options: HubOptions): Hub {
  const { store, kv, settings = {}, clock = systemClock } = options
  const { onLog = () => {}, tracer = noTracer } = options
  const masker = createMasker()
  const anchorKey = deriveKey(options.key, 'anchors')
  const outage = createOutage({
    away: 'the store cannot be asked: every call is denied from the fifth second on',
    back: 'the store is back',
    isBack: () => revisions.unconfirmedMs() < 2_000,
    ...{ clock, onLog },
  })
  const revisions = createRevisions({
    ...{ rows: store.revisions, kv, clock },
    onError: outage.failed,
  })
  const { publish, unconfirmedMs } = revisions
  const validator = createValidator({ clock })
  const note = createNote({ masker, clock })
  const servers = createHubServers(options, { publish, clock, note })
  const catalogue = createCatalogue({
    ...{ rows: store.tools, servers, judgeSchema: validator.judgeSchema, clock, note },
    toolsMax: settings.upstreams?.toolsPerServer,
    onRefused: ({ tenant_id, server_id }) =>
      onLog({ level: 'warn', message: tooManyTools, tenant_id, server_id }),
    publish: (tenant_id) => publish(tenant_id, 'tools'),
  })
  const sessions = createSessions({ rows: store.sessions, servers, publish, clock })
  const { snapshotOf } = sessions
  const policy = createPolicy({
    ...{ rows: store.policy, servers, catalogue, features: options.features, snapshotOf },
    ...{ publish, unconfirmedMs, note, clock, defaultAllow: settings.defaultAllow ?? [] },
    quotas: settings.policy,
  })
  const authorizers = createHubAuthorizers(options, clock)
  const connected = { servers, snapshotOf, authorizers, catalogue, clock }
  const upstreams = createConcealedUpstreams(withCallsPerServer(options), connected)
  const healthHistory = createHealthHistory({
    ...{ kv, upstreams, clock },
    onLost: (error) => onLog({ level: 'info', message: 'a change of health was not kept', error }),
  })
  const approvals = createApprovals({
    ...{ rows: store.approvals, kv, masker, clock, note, vault: options.vault },
    checkArgs: createCheckGivenArgs({ catalogue, validator }),
    timeoutMs: settings.approvalMs ?? 300_000,
    ...options.approvals,
  })
  const results = createResults({ rows: store.results, clock })
  const dir = options.journalDir
  const audit = createAudit({ rows: store.calls, dir, writer: 'hub', anchorKey, clock })
  const retention = createRetention({
    ...{ rows: store.retention, calls: store.calls, results, sessions, kv, clock, onLog },
    key: anchorKey,
    ...{ owner: randomUUID(), days: settings.retentionDays ?? 90 },
  })
  const slots = createSlots(settings)
  const openQuestions = createOpenQuestions(settings.questions)
  const metrics = createHubMetrics({})
  let limiterFallbacks = 0
  const limiter = createLimiter({ kv, clock, onLocal: () => (limiterFallbacks += 1) })
  const calling = {
    ...{ servers, catalogue, upstreams, policy, approvals, results, audit, validator, limiter },
    slots,
    openQuestions,
    ...{ metrics, masker, tracer, clock, settings },
    onInternalError: (error: unknown, call: Partial<HubLogEntry>) =>
      onLog({ level: 'error', message: 'a tool call failed unexpectedly', ...call, error }),
  }
  const callTool = createCallTool(calling)
  const features = createFeatures({ call: calling, servers, upstreams, snapshotOf })
  catalogue.addOwn([createReadResultTool(results), ...(options.tools ?? [])])
  const rooms = { servers, catalogue, policy, upstreams, approvals, audit, results, revisions }
  const sources = { servers, upstreams, audit, tracer, approvals: store.approvals, clock }
  watchHub(metrics, { ...sources, limiterFallbacks: () => limiterFallbacks })
  const running = createStart({ ...rooms, retention }, options)

  return {
    ...{ callTool, features, ...rooms, sessions, note, metrics, healthHistory },
    servers: {
      ...servers,
      visibleTo: (who, session_id) => servers.visibleTo(who, snapshotOf(who, session_id)),
    },
    audit: createHubAudit(audit, store.changes),
    signIns: createSignIns({ servers, authorizers, upstreams, kv }),
    listTools: policy.list,
    ...createExplain({ policy, catalogue, validator }),
    whenOffered: createWhenOffered({ catalogue, upstreams }),
    start: running.start,
    close,
    [Symbol.asyncDispose]: close,
  }

  async function close(): Promise<void> {
    running.stop()
    outage.close()
    await retention.close()
    await revisions.close()
    await upstreams.close()
    await healthHistory.close()
    await approvals.close()
    await audit.close()
    await validator.close()
    await tracer.close()
  }
}

function createHubAudit(audit: Audit, changes: HubOptions['store']['changes']): Hub['audit'] {
  const { query, tally, verify, flush } = audit
  return {
    ...{ query, tally, verify, flush, changes: createChangeQuery(changes) },
    get waiting() {
      return audit.waiting
    },
  }
}

const tooManyTools =
  'the server has offered more tools than it may have (toolsPerServer, mcp_tools_per_server), those that are gone included: the new ones are not taken over'

function createSlots(settings: HubSettings) {
  const { waitingCalls: perTenantWaiting = 1_000 } = settings
  return createFairSlots({ ...runningOf(settings), perTenantWaiting })
}

function runningOf({ runningCalls: max = 1_000, runningCallsPerTenant }: HubSettings) {
  return { max, perTenant: runningCallsPerTenant ?? Math.ceil(max / 4) }
}

/** A server that does not answer leaves its tenant the other half of what may run. */
function withCallsPerServer({ settings = {}, ...options }: HubOptions): HubOptions {
  const callsPerServer = Math.max(1, Math.floor(runningOf(settings).perTenant / 2))
  return {
    ...options,
    settings: { ...settings, upstreams: { callsPerServer, ...settings.upstreams } },
  }
}
