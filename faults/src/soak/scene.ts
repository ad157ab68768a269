import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, createClient } from '@dataagent/client'
import {
  type FaultProxy,
  type HostileCommand,
  hostileServerCommand,
  lastUserText,
  type ModelStandIn,
  type RecordedRequest,
  startFaultProxy,
  startHostileHttp,
  startModelStandIn,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { type Node, startNode } from '../nodes/node-process.ts'
import { makePeople, type Person, toApiKeys } from '../nodes/people.ts'
import { connectInspector } from './inspector.ts'
import type { Measured } from './reading.ts'

/** A server at work: its people, its model, and MCP servers over each transport. */
export interface Scene extends AsyncDisposable {
  node: Node
  measured: Measured
  admin: Client
  people: readonly Person[]
  /** `url` is where the server is reached, if not directly. */
  clientOf(person: Person, url?: string): Client
  /** In front of the server, for sockets that are cut. */
  door: FaultProxy
  /** In front of the MCP servers over HTTP and SSE. */
  upstreams: readonly FaultProxy[]
  /** What the one over stdio is started by. */
  local: HostileCommand
  /** One more over stdio, not registered. */
  extra: HostileCommand
  /** For MCP clients, for all three servers. */
  groupKey: string
  /** Once a tool of the server can be called. */
  whenOffered(server_id: string): Promise<void>
}

/** For what may take its time on a busy machine. */
export const patienceMs = 60_000
/** Of what is made: its answer would be kept for a day. */
export const unkept = { idempotencyKey: null }
export const servers = ['local', 'remote', 'events'] as const
/** Seconds; who decides at once is within, on a machine that is not too busy. */
const approvalTimeout = 3

const story = { text: 'Once upon a time there was a server. '.repeat(20), itl: 5 }

/** Words of the users are words for the model: `call local--echo {…}`, `tell`, or anything. */
function byMessage(request: RecordedRequest) {
  const message = lastUserText(request)
  const [, name, args] = /^call (\S+) ?(.*)$/.exec(message) ?? []
  if (name !== undefined && toolRounds(request) === 0) {
    return { toolCalls: [{ name, arguments: args || '{}' }] }
  }
  return message.startsWith('tell') ? story : { text: `You said: ${message}`, itl: 1 }
}

/**
 * What the server lets go of after an hour or so is let go of after seconds: of a day in minutes
 * nothing else would be seen.
 */
const shortTimes = {
  DATAAGENT_SESSION_TIMEOUT: '5',
  DATAAGENT_KEEP_ALIVE_TIMEOUT: '1',
  DATAAGENT_RECONNECT_WINDOW: '2',
  DATAAGENT_APPROVAL_TIMEOUT: String(approvalTimeout),
  DATAAGENT_GATEWAY_HOLD_SECONDS: '1',
  MCP_SESSION_TTL_SECONDS: '60',
  MCP_RL_WINDOW_SECONDS: '5',
  DATAAGENT_MCP_RECONNECT_MAX_MS: '500',
}

export async function openScene(): Promise<Scene> {
  await using cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  const model = cleanup.use(await startModelStandIn({ script: byMessage, recordLimit: 0 }))
  const people = makePeople({ users: 8 })
  const node = cleanup.use(await startServer({ path, model, people }))
  const inspector = cleanup.use(await connectInspector(node.stderrTail()))
  const door = cleanup.use(await startFaultProxy({ target: node.url }))
  const http = cleanup.use(await startHostileHttp('none'))
  const remote = cleanup.use(await startFaultProxy({ target: http.url }))
  const events = cleanup.use(await startFaultProxy({ target: http.sseUrl }))
  const local = cleanup.use(await hostileServerCommand('none'))
  const extra = cleanup.use(await hostileServerCommand('none'))

  const clientOf = ({ key }: Person, baseUrl = node.url) => createClient({ baseUrl, apiKey: key })
  const admin = clientOf(people[0]!)
  const isReady = async () => (await admin.operations.ready()).status === 'ready'
  await waitFor(isReady, { timeoutMs: patienceMs, what: 'a ready server' })
  const whenOffered = (server_id: string) => untilOffered(admin, server_id)
  const ways = [
    { name: 'local', command: local.command, args: [...local.args] },
    { name: 'remote', url: remote.url },
    { name: 'events', transport: 'sse' as const, url: events.url },
  ]
  const toolApproval = { '*': 'allow', count: 'ask' } as const
  for (const way of ways) await admin.servers.create({ config: { ...way, toolApproval } })
  await Promise.all(servers.map(whenOffered))
  const tools = servers.map((server_id) => ({ server_id, tool: '*' }))
  const { key: groupKey } = await admin.toolGroups.create({ group_id: 'all', name: 'All', tools })
  const port = Number(new URL(node.url).port)
  const moved = cleanup.move()
  return {
    ...{ node, admin, people, clientOf, door, local, extra, groupKey, whenOffered },
    measured: { pid: node.pid, port, inspector },
    upstreams: [remote, events],
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

async function startServer(needs: {
  path: string
  model: ModelStandIn
  people: readonly Person[]
}): Promise<Node> {
  const { path, model, people } = needs
  const dataDir = join(path, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  return startNode({
    ...{ name: 'soak', dataDir, workers: 1, nodeArgs: ['--inspect=127.0.0.1:0'] },
    env: {
      ...shortTimes,
      DATABASE_URL: `sqlite://${join(path, 'soak.db')}`,
      DATAAGENT_API_KEYS: toApiKeys(people),
      DATAAGENT_MODEL: 'openai:standin',
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: model.apiKey,
      DATAAGENT_STDIO_SANDBOX: 'off',
      // A reading stops the server for as long as its garbage takes.
      DATAAGENT_MAX_LOOP_DELAY_MS: '60000',
      MCP_RL_CALL_LIMIT: '1000000',
      MCP_RL_LIST_LIMIT: '1000000',
    },
  })
}

async function untilOffered(admin: Client, server_id: string): Promise<void> {
  const asked = { tool: { server_id, name: 'echo' }, args: { message: 'there?' } }
  const isOffered = async () => (await admin.tools.call(asked)).status === 'ok'
  const what = `tools of ${server_id}`
  await waitFor(isOffered, { timeoutMs: patienceMs, intervalMs: 50, what })
}
