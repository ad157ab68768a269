import { randomBytes } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AgentConfig,
  type AgentExecutor,
  createAgentFactory,
  createExecutor,
  createSessionManager,
  createSettings,
  createWorkspaces,
  type ExecuteContext,
  type ExecutorOptions,
  toReplyText,
} from '@dataagent/core'
import { createEgress } from '@dataagent/guard'
import { createHub, type Principal } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'

export const person: Principal = { tenant_id: 'default', user_id: 'ada', role: 'user' }

/** Puts LangChain's executor, or another, in the place of the engine's own. */
type MakeExecutor = (options: ExecutorOptions) => AgentExecutor

/** What agents need, in a folder that goes with it. Without a key the demo model answers. */
export async function openPlatform() {
  await using made = new AsyncDisposableStack()
  const { path: dir } = made.use(await mkdtempDisposable(join(tmpdir(), 'langchain-')))
  const sql = made.use(openSql({ url: `sqlite:${dir}/platform.db` }))
  await sql.migrate()
  const egress = made.use(createEgress({ policy: { mode: 'public' } }))
  const workspaces = made.use(createWorkspaces({ root: join(dir, 'workspaces') }))
  const hub = made.use(openHub({ dir, egress, store: sql.hub, kv: made.use(createMemoryKv()) }))
  await hub.start()
  const settings = createSettings({ env: {}, egress, root: dir })
  const factory = createAgentFactory({ settings, hub, workspaces, egress })
  const cleanup = made.move()

  /** A session of ada's with an agent. */
  async function openSession(config: AgentConfig, make: MakeExecutor = createExecutor) {
    const { agent } = factory.createAgent(config)
    const sessions = cleanup.use(
      createSessionManager<AgentExecutor>({
        ...{ store: sql.sessions, log: sql.events, messages: sql.messages },
        createExecutor: (_, { leases }) => make({ hub, agent, log: sql.events, leases }),
      }),
    )
    const { assistant_id } = config
    const owner = { tenant_id: 'default', user_id: 'ada' }
    const session = await sessions.getOrCreateSession({ ...owner, assistant_id })
    const executor = await sessions.getExecutor(session)
    const { session_id } = session

    /** A turn: its events, and what was said. */
    async function say(text: string, context: Partial<ExecuteContext> = {}) {
      const run = executor.execute(text, session_id, { principal: person, ...context })
      const events = await Array.fromAsync(run)
      return { events, text: toReplyText(events) }
    }

    return { executor, session_id, say }
  }

  return {
    hub,
    sql,
    dir,
    workspaces,
    openSession,
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

type HubOptions = Parameters<typeof createHub>[0]
type Egress = ReturnType<typeof createEgress>

function openHub({
  dir,
  egress,
  store,
  kv,
}: Pick<HubOptions, 'store' | 'kv'> & { dir: string; egress: Egress }) {
  const key = randomBytes(32)
  return createHub({
    ...{ store, kv, key, journalDir: join(dir, 'journal'), egressFor: () => egress },
    vault: createVault({ keyring: createKeyring([key]) }),
    features: { featuresOf: () => ['*'] },
  })
}
