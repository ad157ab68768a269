import { connectKv } from './connect-kv.ts'
import type { Kv, WindowLimit } from './kv.ts'
import { holdLease } from './lease.ts'
import { createRedisKv } from './redis-kv.ts'

// A process of its own for tests: uses the KV that its arguments name, and does what it is asked
// over IPC.
const [url, prefix] = process.argv.slice(2)
const kv: Kv =
  url && prefix ? createRedisKv({ url, prefix }) : connectKv({ parent: process, timeoutMs: 2_000 })

export interface Tasks {
  /** Counts as fast as it can for a while; when each admitted call was sent and answered. */
  burst(key: string, limit: WindowLimit, forMs: number): Promise<[sent: number, answered: number][]>
  /** How many of `times` parallel takes of each key won. */
  take(keys: string[], times: number): Promise<number>
  /** Holds the lease for good; its fence. */
  hold(name: string, ttlMs: number): Promise<number | undefined>
  /** Listens for good, to nothing in particular. */
  listen(channel: string): Promise<void>
  /** The code of the error of a call, and how long it took. */
  tryGet(): Promise<{ code: string; ms: number; state: Kv['state'] }>
  /** Ends what this process holds, in good order. */
  close(): Promise<void>
}

const tasks: Tasks = {
  async burst(key, limit, forMs) {
    const admitted: [number, number][] = []
    const end = now() + forMs
    const call = async (): Promise<void> => {
      const sent = now()
      const { status } = await kv.count(key, limit)
      if (status === 'ok') admitted.push([sent, now()])
    }
    while (now() < end) await Promise.all(Array.from({ length: 20 }, call))
    return admitted
  },
  async take(keys, times) {
    const takes = keys.flatMap((key) => Array.from({ length: times }, () => kv.take(key)))
    return (await Promise.all(takes)).filter((value) => value !== undefined).length
  },
  hold: async (name, ttlMs) =>
    (await holdLease(kv, name, { ttlMs, owner: String(process.pid) }))?.fence,
  async listen(channel) {
    await kv.subscribe(channel, () => {})
  },
  async tryGet() {
    const from = now()
    const code = await kv.get('k').then(
      () => 'ok',
      (error) => String(error.code),
    )
    return { code, ms: now() - from, state: kv.state }
  },
  close: async () => kv[Symbol.asyncDispose](),
}

/** One clock for all processes of a machine. */
function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}

process.on('message', async (message: { ask?: number; task: keyof Tasks; args: never[] }) => {
  if (message.ask === undefined) return
  const task = tasks[message.task] as (...args: never[]) => Promise<unknown>
  const value = await task(...message.args)
  process.send?.({ answer: message.ask, value })
})

// The parent is gone: says on standard output how the store fails, and ends.
process.once('disconnect', async () => {
  process.stdout.write(`${JSON.stringify(await tasks.tryGet())}\n`, () => process.exit())
})
