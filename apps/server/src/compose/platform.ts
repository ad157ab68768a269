import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryStore, createSettings, createWorkspaces } from '@dataagent/core'
import type { Clock, Masker } from '@dataagent/guard'
import { createFileServers, createNote } from '@dataagent/hub'
import { createRedisSessionStore, type Kv } from '@dataagent/store/kv'
import { createVault, type Keyring } from '@dataagent/store/secrets'
import type { SqlStore } from '@dataagent/store/sql'
import { createAgentBook } from '../agents/index.ts'
import type { Config } from '../config/index.ts'
import type { ServerMetrics } from '../deps/index.ts'
import { createEvaluationBook } from '../evaluations/index.ts'
import type { Identity, KeyCraft } from '../identity/index.ts'
import type { Logger } from '../log/index.ts'
import type { Platform } from '../platform/index.ts'
import { createTemplateBook } from '../templates/index.ts'
import { createTenantBook } from '../tenants/index.ts'
import { version } from '../version.ts'
import { openData } from './data.ts'
import { createOutside } from './outside.ts'
import { openSkills } from './skills.ts'
import { createTerminal, isAtTerminal, type Terminal } from './terminal.ts'
import { createToolLayer } from './tool-layer.ts'
import { createTracing } from './tracing.ts'
import { createTurns, dayMs, keptMs } from './turns.ts'
import { keepUp } from './upkeep.ts'
import { createWaysOut } from './ways-out.ts'

export interface PlatformOptions {
  config: Config
  clock: Clock
  log: Logger
  /** That of the log. */
  masker: Masker
  sql: SqlStore
  kv: Kv
  keyring: Keyring
  craft: KeyCraft
  identity: Identity
  /** Whether other processes serve the same database. */
  isShared: boolean
  metrics: Pick<ServerMetrics, 'turnEnded' | 'modelCalled' | 'sessionOpened'>
  /** Whose platform it is, where a terminal has started it. */
  terminal?: Terminal | undefined
  /** What the agent reads of the environment. */
  env: Readonly<Record<string, string | undefined>>
  /** Where browsers reach this server. */
  ownUrl(): string
  /** Milliseconds to come back after, while the server is to be spared. */
  overloadedMs(): number | undefined
}

export interface OpenPlatform extends AsyncDisposable {
  platform: Platform
  /** Reads what the database holds and opens for business; may be called again where it failed. */
  start(): Promise<void>
  /** Lets runs end within `graceMs`; what has not ended is left to other processes. */
  stop(graceMs: number): Promise<void>
  /** After `stop`: what other processes call through this one is answered, and then theirs. */
  handOver(ms: number): Promise<void>
}

/** Puts the platform together over stores that are there. */
export async function createPlatform(options: PlatformOptions): Promise<OpenPlatform> {
  const { config, clock, log, sql, kv, keyring, craft, isShared } = options
  const cleanup = new AsyncDisposableStack()
  const vault = createVault({ keyring })
  const egress = createWaysOut(config, cleanup)
  const tenants = createTenantBook({ tenants: sql.tenants })
  const stores = openSessionStores(options, cleanup)
  const key = await openInstallationKey(sql, vault)
  const tracer = createTracing(config, { egress: egress.any, clock, log })
  const templates = createTemplateBook({
    ...{ settings: sql.settings, log, multiTenant: config.multi_tenant },
  })
  const fileServers = options.terminal && createFileServers({ rows: sql.hub.servers, vault, clock })
  const hub = cleanup.use(
    createToolLayer({
      ...{ config, clock, log, sql, kv, vault, key, egress, tenants, templates, fileServers },
      journalDir: await openJournalDir(config, cleanup),
      ...{ masker: options.masker, ownUrl: options.ownUrl, tracer },
      reloadAgents: (tenant_id) => agents.reload(tenant_id),
      reloadGroups: async (tenant_id) => gateway?.groups.reload(tenant_id),
    }),
  )
  const workspaces = cleanup.use(
    createWorkspaces({
      ...{ root: join(config.data_dir, 'workspaces'), kv, clock, defaultTenant: 'default' },
      quotaOf: (tenant_id) => tenants.get(tenant_id)?.workspace_quota ?? undefined,
      folderOf: (owner) => (isAtTerminal(owner) ? options.terminal?.folder : undefined),
    }),
  )
  const note = createNote({ clock })
  const data = await openData({
    ...{ config, clock, log, store: sql.data, vault, workspaces, egress, tenants, note, cleanup },
  })
  const { memory_retention_days: retentionDays } = config
  const memory = cleanup.use(
    await createMemoryStore({ root: config.data_dir, clock, retentionDays }),
  )
  const agents = createAgentBook({
    ...{ agents: sql.agents, providers: sql.providers, vault, hub, workspaces, memory, log, clock },
    ...{ egress: egress.public, providerEgress: egress.any, sessionLog: stores.events, tracer },
    traceContent: config.trace_content ? options.masker : undefined,
    onModelCall: options.metrics.modelCalled,
    extrasOf: data?.extrasOf,
    providerPolicyOf: egress.policyOf,
    // Those of a terminal's folder are not the agent's: what changes them may be their only copy.
    fileChanges: options.terminal ? 'ask' : 'allow',
    settings: createSettings({
      env: options.env,
      egress: egress.any,
      root: config.data_dir,
      clock,
    }),
    ...(await openSkills(config, log)),
  })
  const { sessions, hitl, runs } = createTurns({
    ...{ config, clock, log, tables: sql, kv, hub, tenants, agents, stores, isShared },
    ...{ identity: options.identity, overloadedMs: options.overloadedMs, cleanup },
    metrics: options.metrics,
    // Its files and servers are here alone: nobody could go on.
    onStop: options.terminal ? 'cancel' : 'leave',
  })
  const gateway = createOutside({
    ...{ config, clock, log, hub, sql, kv, vault, craft, key, ownUrl: options.ownUrl },
    ...{ identity: options.identity, egress: egress.public },
  })
  if (gateway) cleanup.use(gateway)
  const evaluations = createEvaluationBook({
    ...{ clock, log, version, tables: sql, tenants, sessions, agents, runs, stores },
    ...{ data: data?.room, ownUrl: options.ownUrl },
  })
  const platform: Platform = {
    ...{ config, clock, log, version, tables: sql, craft, kv, vault, hub, stores, sessions },
    ...{ workspaces, memory, tenants, templates, agents, runs, evaluations, hitl, gateway },
    ...{ data: data?.room, note, ownUrl: options.ownUrl, tracer },
    terminal: fileServers && createTerminal(options.terminal!, { fileServers, hub }),
  }
  let isStarted = false
  return {
    platform,
    async start() {
      await hub.start()
      await gateway?.start()
      if (isStarted) return
      isStarted = true
      sessions.start()
      runs.begin()
      // Whoever has a terminal open will want their servers: they are connected behind it.
      if (platform.terminal) cleanup.defer(hub.upstreams.hold(platform.terminal.user))
      cleanup.defer(keepUp({ kv, clock, log, chores: choresOf(platform) }))
    },
    async stop(graceMs) {
      gateway?.stop()
      await evaluations.stop()
      await runs.stop(graceMs)
    },
    handOver: hub.upstreams.handOver,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** For how long a program stays registered that nobody lets in. */
const unusedClientMs = 30 * dayMs

/** What becomes old is put away. */
function choresOf({ config, clock, tables, workspaces, memory, data }: Platform) {
  const idleMs = config.workspace_archive_days * dayMs
  const before = () => clock.now() - config.retention_days * dayMs
  return {
    workspaces: () => workspaces.sweep({ idleMs }),
    memory: () => memory.sweep(),
    data: async () => data?.queries.sweep(),
    mcp_clients: () => tables.gateway.clients.deleteUnused(clock.now() - unusedClientMs, 10_000),
    mcp_grants: () => tables.gateway.grants.deleteEnded(clock.now() - dayMs, 10_000),
    sign_ins: () => tables.browserSessions.deleteExpired(clock.now(), 10_000),
    runs: async () => config.retention_days > 0 && tables.runs.deleteEnded(before(), 10_000),
    evaluations: async () =>
      config.retention_days > 0 && tables.evaluations.runs.deleteOld(before(), 100),
    feedback: async () => config.retention_days > 0 && tables.feedback.deleteOld(before(), 1_000),
  }
}

/** Where sessions are: in the database with all else, or on Redis. */
function openSessionStores(
  { config, sql, clock }: PlatformOptions,
  cleanup: AsyncDisposableStack,
): Platform['stores'] {
  const { session_store, redis_url } = config
  if (session_store !== 'redis' || !redis_url) return sql
  const ttlMs = keptMs(config)
  const url = redis_url.reveal()
  return cleanup.use(createRedisSessionStore({ url, prefix: 'dataagent:', ttlMs, clock }))
}

/** Beside the database; where that is in memory, nothing outlives the server here either. */
async function openJournalDir(
  { session_store, data_dir }: Config,
  cleanup: AsyncDisposableStack,
): Promise<string> {
  if (session_store !== 'memory') return join(data_dir, 'journal')
  const dir = await mkdtemp(join(tmpdir(), 'dataagent-journal-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** What approvals and the audit are bound to: made once, sealed under the master key. */
async function openInstallationKey({ settings }: SqlStore, vault: ReturnType<typeof createVault>) {
  const name = 'installation_key'
  const binding = { tenant: '*', table: 'settings', row: name, column: 'value' }
  const made = await vault.seal(randomBytes(32).toString('base64'), binding)
  const held = (await settings.get(name)) ?? (await settings.setIfAbsent(name, made))
  return Buffer.from(await vault.open(held, binding), 'base64')
}
