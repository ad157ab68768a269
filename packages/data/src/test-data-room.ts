import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createEgress, type Ledger, openWorkspace, type Workspace } from '@dataagent/guard'
import {
  type CallContext,
  createHub,
  createToolset,
  type HubLogEntry,
  type Principal,
  type ToolOutcome,
} from '@dataagent/hub'
import type { DataStore, ExecutionEvent } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'
import { createQueries, type Queries, type QueriesOptions } from './queries/index.ts'
import { type KeptResults, openKeptResults } from './results/index.ts'
import { createSources, type Sources, type SourcesOptions } from './sources/index.ts'
import { createDataTools, type OutputFiles } from './tools/index.ts'

/** The whole room on a real hub and database. */
export interface TestDataRoom extends AsyncDisposable {
  /** Holds the database, the journal, the kept rows and the users' files. */
  dir: string
  sources: Sources
  queries: Queries
  results: KeptResults
  store: DataStore
  /** What tools have told in all calls, and the hub has logged. */
  events: ExecutionEvent[]
  logs: HubLogEntry[]
  /** As ada in the session s1, unless `more` says otherwise. */
  call(
    tool: string,
    args?: Record<string, unknown>,
    more?: Partial<CallContext>,
  ): Promise<ToolOutcome>
  workspaceOf(user_id: string): Promise<Workspace>
}

export interface TestDataRoomOptions {
  sources?: Partial<SourcesOptions>
  queries?: Partial<QueriesOptions>
  ledger?: Ledger
}

const tenant_id = 'default'
export const ada: Principal = { tenant_id, user_id: 'ada', role: 'user' }
export const bo: Principal = { tenant_id, user_id: 'bo', role: 'user' }
export const administrator: Principal = { tenant_id, user_id: 'root', role: 'platform_admin' }
export const tenantAdministrator: Principal = { tenant_id, user_id: 'tom', role: 'admin' }
export const stranger: Principal = { tenant_id: 'other', user_id: 'ada', role: 'admin' }

export async function openTestDataRoom(options: TestDataRoomOptions = {}): Promise<TestDataRoom> {
  await using cleanup = new AsyncDisposableStack()
  const { path: dir } = cleanup.use(await temporaryDirectory())
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const sql = cleanup.use(openSql({ url: `sqlite:${join(dir, 'room.db')}` }))
  await sql.migrate()
  const vault = createVault({ keyring: createKeyring([randomBytes(32)]) })
  const logs: HubLogEntry[] = []
  const hub = cleanup.use(
    createHub({
      ...{ store: sql.hub, kv: cleanup.use(createMemoryKv()), vault, key: randomBytes(32) },
      ...{ features: { featuresOf: () => ['*'] }, egressFor: () => egress },
      ...{ journalDir: join(dir, 'journal'), onLog: (entry) => logs.push(entry) },
    }),
  )
  await hub.start()
  const workspaces = createWorkspaces(cleanup.use(new AsyncDisposableStack()), dir, options.ledger)
  const store = sql.data
  const results = cleanup.use(await openKeptResults({ root: join(dir, 'results') }))
  const sources = cleanup.use(createSources({ store, vault, ...options.sources }))
  const queries = createQueries({ store, sources, results, ...options.queries })
  const tools = createToolset(
    createDataTools({ sources, queries, store, files: createFiles(workspaces) }),
  )
  const events: ExecutionEvent[] = []
  const kept = cleanup.move()
  return {
    ...{ dir, sources, queries, results, store, events, logs },
    workspaceOf: workspaces,
    call(tool, args = {}, more = {}) {
      const context: CallContext = {
        ...{ principal: ada, session_id: 's1', source: 'agent', approver: { kind: 'nobody' } },
        ...{ tools, emit: (event) => events.push(event) },
        ...more,
      }
      return hub.callTool(context, { tool, args, tool_call_id: 'call-1' })
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

function createWorkspaces(
  cleanup: AsyncDisposableStack,
  dir: string,
  ledger: Ledger | undefined,
): (user_id: string) => Promise<Workspace> {
  const opened = new Map<string, Promise<Workspace>>()
  return (user_id) => {
    const known = opened.get(user_id)
    if (known) return known
    const root = join(dir, 'workspaces', user_id)
    const opening = openWorkspace({ root, create: true, ...(ledger && { ledger }) })
    cleanup.defer(async () => (await opening)[Symbol.asyncDispose]())
    opened.set(user_id, opening)
    return opening
  }
}

function createFiles(workspaceOf: (user_id: string) => Promise<Workspace>): OutputFiles {
  return {
    async write({ user_id }, path, content, signal) {
      const workspace = await workspaceOf(user_id!)
      await workspace.makeDir('outputs')
      const { size } = await workspace.write(path, content, { expect: 'absent', signal })
      return { bytes: size }
    },
  }
}

/** What a call gave, or why it did not: as a model reads it. */
export function textOf(outcome: ToolOutcome): string {
  return outcome.status === 'ok' ? outcome.result.text : outcome.error.message
}

/** The structured content of a call that went well. */
export function structuredOf<T>(outcome: ToolOutcome): T {
  if (outcome.status !== 'ok') throw new Error(`${outcome.status}: ${outcome.error.message}`)
  return outcome.result.raw.structuredContent as T
}
