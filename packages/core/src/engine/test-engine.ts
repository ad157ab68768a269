import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createEgress } from '@dataagent/guard'
import {
  createHub,
  defineTool,
  type Hub,
  noTracer,
  type OwnTool,
  type Principal,
  type Tracer,
} from '@dataagent/hub'
import { createSecret, type ExecutionEvent } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql, type SqlStore } from '@dataagent/store/sql'
import {
  type ModelStandIn,
  type Script,
  startModelStandIn,
  temporaryDirectory,
} from '@dataagent/testkit'
import { z } from 'zod'
import { createOpenAiModel } from '../models/index.ts'
import type { Agent, AgentExecutor, ExecuteContext } from './contract.ts'
import { createExecutor, type ExecutorOptions } from './executor.ts'
import type { RunEvent } from './run-log.ts'

export type { Conversation } from './conversation.ts'
export { loadConversation } from './load-conversation.ts'
export { runSubAgent } from './sub-agent.ts'

/** An engine on a real database and the model stand-in, with a session to talk in. */
export interface TestEngine extends AsyncDisposable {
  hub: Hub
  sql: SqlStore
  standIn: ModelStandIn
  executor: AgentExecutor
  session_id: string
  dir: string
  agent: Agent
  /** Another session of the same user. */
  createSession(): Promise<string>
  /** Executors as another process would make them, on the same store. */
  createExecutor(options?: Partial<ExecutorOptions>): AgentExecutor
  /** Runs a turn to its end and gives its events. */
  say(input: string, context?: Partial<ExecuteContext>): Promise<RunEvent[]>
}

export interface TestEngineOptions {
  script?: Script
  tools?: readonly OwnTool[]
  agent?: Partial<Agent>
  executor?: Partial<ExecutorOptions>
  /** Of the hub and the executor. */
  tracer?: Tracer
  /** Default: SQLite in a folder of its own. */
  url?: string
  model?: string
  dir?: string
  /** Of the hub and its vault, where another process shall find what this one asked. */
  key?: Buffer
  /** Default: a new one. */
  session_id?: string
  maker?: ExecutorMaker | undefined
}

/** Makes executors as `createExecutor` does; what else they keep is in the same store. */
export type ExecutorMaker = (options: ExecutorOptions, sql: SqlStore) => AgentExecutor

export const person: Principal = { tenant_id: 'default', user_id: 'ada', role: 'user' }

export async function startEngine(options: TestEngineOptions = {}): Promise<TestEngine> {
  const cleanup = new AsyncDisposableStack()
  const dir = options.dir ?? cleanup.use(await temporaryDirectory()).path
  const standIn = cleanup.use(
    await startModelStandIn(options.script ? { script: options.script } : {}),
  )
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  const sql = cleanup.use(openSql({ url: options.url ?? `sqlite:${join(dir, 'test.db')}` }))
  await sql.migrate()
  const kv = cleanup.use(createMemoryKv())
  const key = options.key ?? randomBytes(32)
  const hub = cleanup.use(
    createHub({
      ...{ store: sql.hub, kv, journalDir: join(dir, 'journal'), key },
      vault: createVault({ keyring: createKeyring([key]) }),
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
      tracer: options.tracer,
    }),
  )
  await hub.start()
  await ensurePerson(sql)
  const model = createOpenAiModel({
    ...{ egress, baseUrl: `${standIn.url}/v1`, apiKey: createSecret(standIn.apiKey) },
    model: options.model ?? 'standin',
  })
  const agent: Agent = {
    ...{ assistant_id: 'helper', model, price: undefined, systemPrompt: 'You help.' },
    ...{ middleware: [], tools: options.tools ?? [], toolMode: 'auto', toolBudgetTokens: 2_000 },
    ...{ maxTurns: 20, autoApprove: false, onReject: 'end' },
    ...options.agent,
  }
  const { maker = createExecutor } = options
  const make = (more: Partial<ExecutorOptions> = {}) => {
    const means = { hub, agent, log: sql.events, tracer: options.tracer ?? noTracer }
    return maker({ ...means, ...options.executor, ...more }, sql)
  }
  const executor = make()
  const session_id = options.session_id ?? (await createSession(sql))
  return {
    ...{ hub, sql, standIn, executor, session_id, dir, agent, createExecutor: make },
    createSession: () => createSession(sql),
    say: (input, context) =>
      collect(executor.execute(input, session_id, { principal: person, ...context })),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

async function ensurePerson(sql: SqlStore): Promise<void> {
  const limits = { max_users: null, max_sessions_per_user: null, max_mcp_servers: null }
  const tenant = { tenant_id: 'default', name: 'default', ...limits, workspace_quota: null }
  await sql.tenants.create({ ...tenant, features_enabled: [], created_at: 1 }).catch(() => {})
}

async function createSession(sql: SqlStore): Promise<string> {
  const session_id = randomUUID()
  const state = { thread_id: session_id, auto_approve: false, status: 'idle' } as const
  const times = { created_at: Date.now(), last_active: Date.now() }
  const { tenant_id } = person
  await sql.sessions.create({
    ...{ session_id, tenant_id, user_id: 'ada', assistant_id: 'helper', ...times, state },
    metadata: {},
  })
  return session_id
}

/** All events of a run. */
export async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const all: RunEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The text that was said, void pieces left out. */
export function textOf(events: readonly ExecutionEvent[]): string {
  let text = ''
  for (const event of events) {
    if (event.event_type !== 'text') continue
    text = event.restarts ? event.content : text + event.content
  }
  return text
}

/** Events of one kind. */
export function of<K extends ExecutionEvent['event_type']>(
  events: readonly ExecutionEvent[],
  kind: K,
): Extract<ExecutionEvent, { event_type: K }>[] {
  return events.filter((event) => event.event_type === kind) as never
}

/** A tool that counts its runs, and asks or not. */
export function countingTool(
  name: string,
  options: {
    approval?: 'allow' | 'ask'
    isDestructive?: boolean | undefined
    run?: (signal: AbortSignal) => unknown
  } = {},
): OwnTool & { runs: unknown[] } {
  const runs: unknown[] = []
  const tool = defineTool({
    name,
    description: `Does ${name}.`,
    input: z.object({ value: z.string().optional() }),
    approval: options.approval ?? 'allow',
    ...(options.isDestructive && { annotations: { destructiveHint: true } }),
    async run(args, { signal }) {
      runs.push(args)
      return (await options.run?.(signal)) ?? `${name} done`
    },
  })
  return Object.assign(tool, { runs })
}
