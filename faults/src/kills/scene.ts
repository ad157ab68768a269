import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@dataagent/client'
import {
  createDatabase,
  type HostileCommand,
  hostileServerCommand,
  lastUserText,
  type RecordedRequest,
  startModelStandIn,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { type Node, startNode } from '../nodes/node-process.ts'
import { makePeople, type Person, toApiKeys } from '../nodes/people.ts'
import { type Ledger, startLedger } from './ledger.ts'

export type Database = 'sqlite' | 'mysql' | 'postgres'

/** A server to be killed, and what outlives it: its database, its model and a ledger of effects. */
export interface Scene extends AsyncDisposable {
  server: Node
  ledger: Ledger
  people: readonly Person[]
  clientOf(person: Person): Client
  /** For MCP clients. */
  groupKey: string
  whenReady(): Promise<void>
  /**
   * Processes of its stdio servers, of which none goes by itself: one that stays at the end of its
   * input and at SIGTERM, one that has started another in a session of its own.
   */
  children(): Promise<number[]>
}

/** Words of the users are words for the model: `record x-1`, `careful x-2`, `local x-3`. */
function byMessage(request: RecordedRequest) {
  const [tool = '', id = ''] = lastUserText(request).split(' ')
  if (toolRounds(request) > 0) return { text: `${tool} ${id} is through.`, itl: 2 }
  if (tool === 'local') {
    return { toolCalls: [{ name: 'local--slow', arguments: { ms: 300 } }] }
  }
  return { toolCalls: [{ name: `ledger--${tool}`, arguments: { id } }] }
}

export async function openScene(database: Database): Promise<Scene> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const url =
    database === 'sqlite'
      ? `sqlite://${join(path, 'scene.db')}`
      : cleanup.use(await createDatabase(database)).url
  const model = cleanup.use(await startModelStandIn({ script: byMessage, recordLimit: 0 }))
  const ledger = cleanup.use(await startLedger())
  const people = makePeople({ users: 8 })
  const dataDir = join(path, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  const server = cleanup.use(
    await startNode({
      ...{ name: database, dataDir, workers: 1 },
      env: {
        DATABASE_URL: url,
        DATAAGENT_API_KEYS: toApiKeys(people),
        DATAAGENT_MODEL: 'openai:standin',
        OPENAI_BASE_URL: `${model.url}/v1`,
        OPENAI_API_KEY: model.apiKey,
        DATAAGENT_ON_DISCONNECT: 'finish',
        DATAAGENT_STDIO_SANDBOX: 'off',
      },
    }),
  )
  const clientOf = ({ key }: Person) => createClient({ baseUrl: server.url, apiKey: key })
  const admin = clientOf(people[0]!)
  const whenReady = async () => {
    const isReady = async () => (await admin.operations.ready()).status === 'ready'
    await waitFor(() => isReady().catch(() => false), { timeoutMs: 60_000, what: 'a ready server' })
  }
  await whenReady()
  const local = cleanup.use(await hostileServerCommand('ignores_term'))
  const family = cleanup.use(await hostileServerCommand('forks_grandchild'))
  const groupKey = await register(admin, { url: ledger.url, local, family })
  const children = () => findProcesses([local, family])
  const hasAll = async () => (await children()).length >= 3
  await waitFor(hasAll, { timeoutMs: 60_000, what: 'both stdio servers and what one has started' })
  const moved = cleanup.move()
  return {
    ...{ server, ledger, people, clientOf, groupKey, whenReady, children },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

async function register(
  admin: Client,
  { url, ...programs }: { url: string; local: HostileCommand; family: HostileCommand },
): Promise<string> {
  await admin.servers.create({
    config: { name: 'ledger', url, toolApproval: { record: 'allow', careful: 'ask' } },
  })
  for (const [name, { command, args }] of Object.entries(programs)) {
    await admin.servers.create({
      config: { name, command, args: [...args], toolApproval: { '*': 'allow' } },
    })
  }
  const { key } = await admin.toolGroups.create({
    ...{ group_id: 'ledger', name: 'Ledger', tools: [{ server_id: '*', tool: 'record' }] },
  })
  return key
}

/** Those that run the servers, and those that these have noted as their children. */
async function findProcesses(servers: readonly HostileCommand[]): Promise<number[]> {
  const programs = servers.map(({ args }) => args.at(-1)!)
  const noted = new Set(servers.flatMap(({ notes }) => notes('grandchild').map(Number)))
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      const words = line.split('\0')
      const isOne = programs.some((program) => words.includes(program))
      return isOne || (noted.has(pid) && words[0] === 'sleep') ? pid : 0
    }),
  )
  return found.filter((pid) => pid > 0)
}
