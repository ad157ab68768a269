import type { McpError, ServerQuestions } from '@dataagent/mcp'
import type { ServerConfigInput } from '@dataagent/schema'
import { connectKv, createRedisKv, type Kv } from '@dataagent/store/kv'
import type { UpstreamHealth, UpstreamLimits } from './contract.ts'
import { createRig, echo, keyOf, type Rig, toText } from './test-rig.ts'

// A process of its own for tests: has upstreams over the KV that its arguments name, and does what
// it is asked over IPC.
const [owner = '', url = '', prefix = ''] = process.argv.slice(2)
const served = connectKv({ parent: process })
let redis: Kv | undefined
let rig: Rig | undefined
let told: string[] = []

export type Store = 'served' | 'redis'
export type Servers = Record<string, ServerConfigInput>

export type Answer = { status: 'ok'; text: string; progress: number[] } | Failed

interface Failed extends Pick<McpError, 'kind' | 'code' | 'mayHaveRun' | 'retryable' | 'message'> {
  status: 'failed'
}

export interface Tasks {
  start(store: Store, servers: Servers, limits: Partial<UpstreamLimits>): Promise<void>
  set(server_id: string, config: ServerConfigInput): Promise<void>
  /** Calls `tool` of the server; `cancelAfterMs` ends it early. */
  call(server_id: string, call: WorkerCall): Promise<Answer>
  /** Calls `echo` so often at once, each with another text; how many answers were not theirs. */
  storm(
    server_id: string,
    count: number,
    mark: string,
  ): Promise<{ wrong: number; failed: string[] }>
  /** Asks the server for something that is no tool. */
  ask(server_id: string, method: string, params: Record<string, unknown>): Promise<unknown>
  subscribe(server_id: string, uri: string): Promise<void>
  /** What servers have told since the start, as JSON. */
  told(): Promise<string[]>
  offered(server_id: string): Promise<string[] | undefined>
  health(server_id: string): Promise<readonly UpstreamHealth[]>
  log(): Promise<string[]>
  /** Closes its upstreams; others may be started then. */
  stop(): Promise<void>
}

export interface WorkerCall {
  tool: string
  args: Record<string, unknown>
  deadlineMs?: number
  maxRetries?: number
  cancelAfterMs?: number
  user_id?: string
  /** What a form is answered with; it is dismissed where this is left out. */
  name?: string
}

const tasks: Tasks = {
  async start(store, servers, limits) {
    redis ??= url ? createRedisKv({ url, prefix }) : undefined
    const kv = store === 'redis' && redis ? redis : served
    const backoff = { firstMs: 50, maxMs: 500 }
    rig = createRig({ kv, owner, limits, backoff, passesQuestions: true })
    told = []
    rig.upstreams.onNotice(({ notice }) => told.push(JSON.stringify(notice)))
    for (const [id, config] of Object.entries(servers)) rig.servers.set(id, config)
    rig.upstreams.start()
  },
  async set(server_id, config) {
    theRig().servers.set(server_id, config)
  },
  async call(server_id, { tool, args, deadlineMs = 5_000, maxRetries = 0, ...given }) {
    const progress: number[] = []
    const signal = given.cancelAfterMs ? AbortSignal.timeout(given.cancelAfterMs) : undefined
    const onProgress = (one: { progress: number }) => void progress.push(one.progress)
    const options = { signal, onProgress, questions: toQuestions(given.name) }
    const call = echo('', { tool, args, deadlineMs, maxRetries, options })
    try {
      const key = keyOf(server_id, given.user_id)
      const { result } = await theRig().upstreams.call(key, call)
      return { status: 'ok', text: toText(result), progress }
    } catch (error) {
      const { kind, code, mayHaveRun, retryable, message } = error as McpError
      return { status: 'failed', kind, code, mayHaveRun, retryable, message }
    }
  },
  async storm(server_id, count, mark) {
    const failed: string[] = []
    let wrong = 0
    const one = async (index: number) => {
      const text = `${mark} ${index}`
      const got = await theRig().say(server_id, text, { deadlineMs: 20_000 })
      if (got !== text) wrong += 1
    }
    const all = Array.from({ length: count }, (_, index) => one(index))
    for (const end of await Promise.allSettled(all)) {
      if (end.status === 'rejected') failed.push(String(end.reason))
    }
    return { wrong, failed }
  },
  async ask(server_id, method, params) {
    const call = echo('', { tool: method, args: params, deadlineMs: 20_000 })
    return (await theRig().upstreams.ask(keyOf(server_id), call)).result
  },
  async subscribe(server_id, uri) {
    await theRig().upstreams.subscribe(keyOf(server_id), uri)
  },
  told: async () => told,
  offered: async (server_id) => theRig().offered(server_id),
  health: async (server_id) => theRig().upstreams.health('acme', server_id),
  log: async () => theRig().log,
  async stop() {
    await rig?.[Symbol.asyncDispose]()
    rig = undefined
  },
}

function toQuestions(name: string | undefined): ServerQuestions | undefined {
  return name === undefined
    ? undefined
    : { elicit: async () => ({ action: 'accept', content: { name } }) }
}

function theRig(): Rig {
  if (rig === undefined) throw new Error('not started')
  return rig
}

process.on('message', async (message: { ask?: number; task: keyof Tasks; args: never[] }) => {
  if (message.ask === undefined) return
  const task = tasks[message.task] as (...args: never[]) => Promise<unknown>
  const value = await task(...message.args)
  process.send?.({ answer: message.ask, value })
})

process.once('disconnect', () => process.exit())
