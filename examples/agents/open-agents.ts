import { randomBytes } from 'node:crypto'
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AgentConfig,
  type AgentExecutor,
  createAgentFactory,
  createExecutor,
  createMemoryStore,
  createRunLeases,
  createSessionManager,
  createSettings,
  createWorkspaces,
} from '@dataagent/core'
import { createEgress } from '@dataagent/guard'
import { createHub, type Principal } from '@dataagent/hub'
import { createMemoryKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'

export const person: Principal = { tenant_id: 'default', user_id: 'ada', role: 'user' }
export const admin: Principal = { tenant_id: 'default', user_id: 'root', role: 'admin' }

export interface OpenAgentsOptions {
  /** Where all of it is kept. Default: a folder that goes with it. */
  dir?: string
  /** Such as OPENAI_API_KEY and DATAAGENT_MODEL. Default: none, and so the demo model. */
  env?: Readonly<Record<string, string>>
}

/** All that agents stand on, on SQLite and files. */
export async function openAgents(options: OpenAgentsOptions = {}) {
  const { env = {} } = options
  const cleanup = new AsyncDisposableStack()
  const dir = options.dir ?? cleanup.use(await mkdtempDisposable(join(tmpdir(), 'agents-'))).path
  const key = await keyIn(dir)
  const sql = cleanup.use(openSql({ url: `sqlite:${join(dir, 'agents.db')}` }))
  await sql.migrate()
  const kv = cleanup.use(createMemoryKv())
  const egress = cleanup.use(createEgress({ policy: { mode: 'public' } }))
  const hub = cleanup.use(
    createHub({
      ...{ store: sql.hub, kv, key, journalDir: join(dir, 'journal') },
      vault: createVault({ keyring: createKeyring([key]) }),
      features: { featuresOf: () => ['*'] },
      egressFor: () => egress,
    }),
  )
  await hub.start()

  const factory = createAgentFactory({
    ...{ hub, egress },
    settings: createSettings({ env, egress, root: dir }),
    workspaces: cleanup.use(createWorkspaces({ root: join(dir, 'workspaces') })),
    memory: cleanup.use(await createMemoryStore({ root: dir })),
  })

  /** A session of ada's with an agent: a new one, or one of an earlier time. */
  async function openSession(config: AgentConfig, session_id?: string) {
    const { agent } = factory.createAgent(config)
    const sessions = cleanup.use(
      createSessionManager<AgentExecutor>({
        ...{ store: sql.sessions, log: sql.events, messages: sql.messages },
        leases: createRunLeases({ kv }),
        createExecutor: (_, { leases }) => createExecutor({ hub, agent, log: sql.events, leases }),
      }),
    )
    const { assistant_id } = config
    const owner = { tenant_id: 'default', user_id: 'ada' }
    const session = await sessions.getOrCreateSession({ ...owner, assistant_id, session_id })
    return { session_id: session.session_id, executor: await sessions.getExecutor(session) }
  }

  return { hub, dir, openSession, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

/** What is sealed and asked is bound to it, so it is kept. A real one is kept elsewhere. */
async function keyIn(dir: string): Promise<Buffer> {
  const file = join(dir, 'key')
  await writeFile(file, randomBytes(32), { flag: 'wx', mode: 0o600 }).catch(() => {})
  return readFile(file)
}
