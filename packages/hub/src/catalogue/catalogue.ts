import { type Clock, createTurns, systemClock } from '@dataagent/guard'
import { AppError, type JsonObject, readJson } from '@dataagent/schema'
import { createNote, type Note } from '../changes/index.ts'
import { ownServerId } from '../define-tool/index.ts'
import type { Finding } from '../poisoning/index.ts'
import { platformTenant, type Servers } from '../servers/index.ts'
import type { ToolRef } from '../tool-ref.ts'
import type { SchemaJudgement } from '../validation/index.ts'
import type { Catalogue, CatalogueEntry, CatalogueTool, PendingTool, ToolRows } from './contract.ts'
import { createDecisions } from './decisions.ts'
import { diffDefinitions } from './diff-definitions.ts'
import { createLoader } from './load.ts'
import { createObserver } from './observe.ts'
import { toOwnTool } from './own-tool.ts'
import { neutraliseStored } from './read-definition.ts'
import { readVisible } from './row.ts'
import { createToolMemory, type Known } from './tool-memory.ts'

export interface CatalogueOptions {
  rows: ToolRows
  servers: Pick<Servers, 'get' | 'all' | 'editions' | 'onChange'>
  judgeSchema(schema: JsonObject): SchemaJudgement
  /** Tells other processes that the tools of a tenant have changed. Never rejects. */
  publish(tenant_id: string): void | Promise<void>
  /** How many tools a server may have, those that are gone included. Default 2,000. */
  toolsMax?: number | undefined
  /** Told of a server that has more. Must not throw. */
  onRefused?: ((server: { tenant_id: string; server_id: string }) => void) | undefined
  clock?: Clock
  note?: Note
}

/**
 * The tools of all servers, in memory. Empty before the first `reload`; what is observed before is
 * compared with the store all the same.
 */
export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { rows, servers, judgeSchema, clock = systemClock } = options
  const { note = createNote({ clock }), toolsMax = 2_000, onRefused = () => {} } = options
  const memory = createToolMemory({ servers })
  const serially = createTurns()
  const publish = (tenant_id: string) => void options.publish(tenant_id)
  const loader = createLoader({ rows, memory, clock })
  const shared = { memory, rows, clock, serially, publish, load: loader.loadGroup }
  const { loadHashes } = loader
  const observing = { ...shared, judgeSchema, loadHashes, toolsMax, onRefused }
  const observeOffers = createObserver(observing)
  const decisions = createDecisions({ ...shared, note })

  /** Of a tool that its server has no more, or whose server has been removed. */
  async function readPast(tenant_id: string, { server_id, name }: ToolRef) {
    for (const scope of memory.scopesOf(tenant_id)) {
      const found = await rows.listVersions({ tenant_id: scope, server_id, name })
      if (found.length > 0) return found
    }
    return []
  }

  servers.onChange((change) => {
    if (change.kind === 'credential') return
    if (change.kind === 'superseded') return memory.supersede(change.edition)
    const { tenant_id, server_id } = change.kind === 'set' ? change.server : change
    const group = memory.findGroup(tenant_id, server_id)
    if (change.kind === 'removed' && group) memory.drop(group)
    memory.renewServers(group)
  })

  return {
    get revision() {
      return memory.revision
    },
    get: (tenant_id, ref) => memory.find(tenant_id, ref)?.entry,
    named: memory.named,
    approve: decisions.approve,
    reject: decisions.reject,
    onChange: memory.onChange,
    reload: (tenant_id) => serially(() => loader.load(tenant_id)),

    ofServer(tenant_id, server_id) {
      return memory.findVisible(tenant_id, server_id)?.entries ?? []
    },

    *all(tenant_id): Iterable<CatalogueEntry> {
      for (const scope of memory.scopesOf(tenant_id)) {
        for (const { entries } of memory.groups(scope)) yield* entries
      }
    },

    async observe({ tenant_id, server_id }, seen) {
      const server = servers.get(tenant_id, server_id)
      if (server === undefined) return
      const group = memory.groupOf(tenant_id, server_id)
      if (seen.status === 'offers') return observeOffers(group, server, seen.tools)
      group.sightings += 1
      group.link = seen
      memory.renew(group)
    },

    addOwn(tools) {
      const group = memory.groupOf(platformTenant, ownServerId)
      const names = new Set(group.tools.keys())
      for (const { name } of tools) {
        if (names.has(name)) throw new AppError('conflict', `there is a tool ${name} already`)
        names.add(name)
      }
      group.link = { status: 'connected' }
      for (const own of tools) {
        memory.set(group, toOwnTool(own, group.tools.size, clock.now()), { own })
      }
      memory.renew(group)
    },

    async pending(tenant_id) {
      const waiting: PendingTool[] = []
      for (const group of memory.groups(tenant_id)) {
        for (const known of group.tools.values()) {
          if (known.tool.state === 'quarantined') waiting.push(toQuarantined(known.tool))
          if (known.tool.state !== 'pending') continue
          const pending = await readPending(rows, known)
          if (pending) waiting.push(pending)
        }
      }
      return waiting
    },

    async versions(tenant_id, ref) {
      const known = memory.find(tenant_id, ref)
      if (known?.own) return []
      const found = known ? await rows.listVersions(known.tool) : await readPast(tenant_id, ref)
      return found.map((row) => ({ ...row, definition: toVisibleJson(row.definition) }))
    },
  }
}

function toQuarantined(tool: CatalogueTool): PendingTool {
  const { version, hash, definition, seen_at, findings } = tool
  return { tool, pending: { version, hash, definition, seen_at }, findings, diff: [] }
}

/** The diff is of what the server gave, hidden characters and all, made visible. */
async function readPending(
  rows: Pick<ToolRows, 'listVersions'>,
  { tool }: Known,
): Promise<PendingTool | undefined> {
  const versions = await rows.listVersions(tool)
  const before = versions.find(({ version }) => version === tool.version)
  const after = versions.find(({ version }) => version === tool.pending_version)
  if (after === undefined) return undefined
  const { version, hash, seen_at } = after
  const definition = neutraliseStored(after.definition)
  const diff = before
    ? diffDefinitions(readVisible(before.definition), readVisible(after.definition))
    : []
  const findings = readJson(after.findings) as Finding[]
  return { tool, pending: { version, hash, definition, seen_at }, findings, diff }
}

function toVisibleJson(json: string): string {
  return JSON.stringify(readVisible(json))
}
