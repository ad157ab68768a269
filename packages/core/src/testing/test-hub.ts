import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createEgress, type EgressPolicy } from '@dataagent/guard'
import {
  type CallContext,
  createHub,
  createToolset,
  type Hub,
  type HubOptions,
  type OwnTool,
  type Principal,
  type ToolOutcome,
} from '@dataagent/hub'
import type { ExecutionEvent } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import { temporaryDirectory } from '@dataagent/testkit'

/** A hub on a real database, and a user who brings a toolset along. */
export interface CoreHub extends AsyncDisposable {
  hub: Hub
  /** The folder that holds the database and the journal. */
  dir: string
  /** What the tools of all calls have told. */
  events: ExecutionEvent[]
  contextOf(more?: Partial<CallContext>): CallContext
  /** Calls a tool of the toolset, as ada with nobody to ask unless `more` says otherwise. */
  call(
    tool: string,
    args?: Record<string, unknown>,
    more?: Partial<CallContext>,
  ): Promise<ToolOutcome>
}

export interface CoreHubOptions {
  /** Made once the folder is known. */
  tools?: (place: { dir: string; egress: ReturnType<typeof createEgress> }) => readonly OwnTool[]
  /** Of the egress that the tools get. Default: every address. */
  policy?: EgressPolicy
  hub?: Partial<HubOptions>
}

export const ada: Principal = { tenant_id: 'default', user_id: 'ada', role: 'user' }
export const administrator: Principal = { tenant_id: 'default', user_id: 'root', role: 'admin' }

/** Makes and starts one. */
export async function startCoreHub(options: CoreHubOptions = {}): Promise<CoreHub> {
  const cleanup = new AsyncDisposableStack()
  const { path: dir } = cleanup.use(await temporaryDirectory())
  const egress = cleanup.use(createEgress({ policy: options.policy ?? { mode: 'any' } }))
  const sql = cleanup.use(openSql({ url: `sqlite:${join(dir, 'hub.db')}` }))
  await sql.migrate()
  const hub = cleanup.use(
    createHub({
      store: sql.hub,
      kv: cleanup.use(createMemoryKv()),
      vault: createVault({ keyring: createKeyring([randomBytes(32)]) }),
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      journalDir: join(dir, 'journal'),
      key: randomBytes(32),
      ...options.hub,
    }),
  )
  await hub.start()
  const tools = createToolset(options.tools?.({ dir, egress }) ?? [])
  const events: ExecutionEvent[] = []
  const contextOf: CoreHub['contextOf'] = (more) => ({
    ...{ principal: ada, source: 'agent', approver: { kind: 'nobody' }, tools },
    emit: (event) => events.push(event),
    ...more,
  })
  return {
    ...{ hub, dir, events, contextOf },
    call: (tool, args = {}, more = {}) =>
      hub.callTool(contextOf(more), { tool, args, tool_call_id: 'call-1' }),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** What a call gave, or why it did not: as a model reads it. */
export function textOf(outcome: ToolOutcome): string {
  return outcome.status === 'ok' ? outcome.result.text : outcome.error.message
}
