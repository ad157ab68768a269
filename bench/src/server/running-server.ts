import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '@dataagent/testkit'
import { WebSocket } from 'ws'

const main = join(import.meta.dirname, '../../../apps/server/src/main.ts')

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
  const dir = await mkdtemp(join(tmpdir(), 'bench-server-'))
  cleanup.defer(() => rm(dir, { recursive: true, force: true }))
  const child = start(dir, options)
  cleanup.defer(() => stop(child))
  const url = await urlOf(child)
  const isReady = async () => (await fetch(`${url}/api/v1/ready`)).ok
  await waitFor(isReady, { timeoutMs: 60_000, what: 'ready server' })
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
    cpu: async () => sum(await Promise.all((await family(child.pid!)).map(cpuOf))),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

function start(dir: string, { workers, users, model }: RunningServerOptions): ChildProcess {
  const keys = Array.from(
    { length: users },
    (_, user) => `tenant=default;user=user-${user};role=user;key=${keyOf(user)}`,
  )
  const args = ['--conditions=dataagent-source', main, '--data-dir', dir, '--port', '0']
  return spawn(process.execPath, [...args, '--workers', String(workers)], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: dir, DATAAGENT_API_KEYS: keys.join(',') },
      ...{ DATAAGENT_MODEL: `openai:${model.name}`, OPENAI_API_KEY: model.apiKey },
      ...{ OPENAI_BASE_URL: `${model.url}/v1`, DATAAGENT_LOG_LEVEL: 'warning' },
      ...{ DATAAGENT_MAX_RUNNING_TURNS: '2000', DATAAGENT_MAX_LOOP_DELAY_MS: '10000' },
    },
  })
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await waitFor(() => child.exitCode !== null || child.signalCode !== null)
}

async function urlOf(child: ChildProcess): Promise<string> {
  let said = ''
  // Where it listens is told to people, on standard error.
  child.stderr?.on('data', (chunk) => (said += chunk))
  return waitFor(() => /http:\/\/[\d.]+:\d+/.exec(said)?.[0], { timeoutMs: 60_000, what: 'url' })
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

/** A process and its children. */
async function family(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((each) => each > 0)
  const parents = await Promise.all(pids.map(async (each) => [each, await parentOf(each)] as const))
  return [pid, ...parents.filter(([, parent]) => parent === pid).map(([each]) => each)]
}

async function parentOf(pid: number): Promise<number> {
  return Number((await statOf(pid))[1] ?? 0)
}

/** Clock ticks of 10 ms, as Linux counts them. */
async function cpuOf(pid: number): Promise<number> {
  const fields = await statOf(pid)
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10_000
}

/** What follows the name, which may hold anything. */
async function statOf(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
