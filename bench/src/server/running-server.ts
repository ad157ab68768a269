import { WebSocket } from 'ws'
import { cpuOf, familyOf } from '../harness.ts'
import { startServerProcess } from './server-process.ts'

export interface RunningServerOptions {
  workers: number
  users: number
  model: { url: string; apiKey: string; name: string }
}

/** The real server with users who are signed in, each on a socket of their own. */
export interface RunningServer extends AsyncDisposable {
  /** Takes the next turn of that user. */
  turn(user: number): Promise<void>
  /** CPU that all its processes have used, in microseconds. */
  cpu(): Promise<number>
}

const keyOf = (user: number) => `key-of-bench-user-${user}-0123456789`

export async function startRunningServer(options: RunningServerOptions): Promise<RunningServer> {
  await using cleanup = new AsyncDisposableStack()
  const { url, pid } = cleanup.use(await startServerProcess(toStart(options)))
  const users = Array.from({ length: options.users }, (_, user) => user)
  const sockets = new Map<number, WebSocket>()
  for (let at = 0; at < users.length; at += 50) {
    const some = users.slice(at, at + 50)
    await Promise.all(some.map(async (user) => sockets.set(user, await connect(url, user))))
  }
  cleanup.defer(() => {
    for (const socket of sockets.values()) socket.terminate()
  })
  const moved = cleanup.move()
  return {
    turn: (user) => takeTurn(sockets.get(user)!),
    cpu: async () => cpuOf(await familyOf(pid)),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

function toStart({ workers, users, model }: RunningServerOptions) {
  const keys = Array.from(
    { length: users },
    (_, user) => `tenant=default;user=user-${user};role=user;key=${keyOf(user)}`,
  )
  return {
    args: ['--workers', String(workers)],
    env: {
      ...{ DATAAGENT_API_KEYS: keys.join(','), DATAAGENT_LOG_LEVEL: 'warning' },
      ...{ DATAAGENT_MODEL: `openai:${model.name}`, OPENAI_API_KEY: model.apiKey },
      ...{ OPENAI_BASE_URL: `${model.url}/v1` },
      ...{ DATAAGENT_MAX_RUNNING_TURNS: '2000', DATAAGENT_MAX_LOOP_DELAY_MS: '10000' },
    },
  }
}

async function connect(url: string, user: number): Promise<WebSocket> {
  const headers = { 'x-api-key': keyOf(user), 'content-type': 'application/json' }
  const created = await fetch(`${url}/api/v1/sessions`, { method: 'POST', headers, body: '{}' })
  const { session_id } = (await created.json()) as { session_id: string }
  const address = `${url.replace('http', 'ws')}/ws/chat/${session_id}`
  const socket = new WebSocket(address, { headers: { 'x-api-key': keyOf(user) } })
  socket.on('error', () => {})
  await until(socket, '"connected"')
  return socket
}

async function takeTurn(socket: WebSocket): Promise<void> {
  const done = until(socket, '"done"')
  socket.send('{"type":"chat","payload":{"message":"What is the weather in Hangzhou today?"}}')
  await done
}

/** Resolves with the first frame whose kind is this one. */
async function until(socket: WebSocket, kind: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onMessage = (data: Buffer) => {
    const text = data.toString()
    if (text.startsWith('{"event_type":"refused"')) reject(new Error(text))
    if (text.includes(`"event_type":${kind}`)) resolve()
  }
  const onClose = (code: number) => reject(new Error(`the socket closed: ${code}`))
  socket.on('message', onMessage).on('close', onClose)
  await promise.finally(() => socket.off('message', onMessage).off('close', onClose))
}
