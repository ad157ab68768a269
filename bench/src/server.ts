import { join } from 'node:path'
import { startModelStandIn } from '@dataagent/testkit'
import {
  type Benchmark,
  type PrepareContext,
  type Prepared,
  prepareWith,
  repeat,
  type Spent,
  type Subject,
  startWorker,
} from './harness.ts'
import { type RunningServer, startRunningServer } from './server/running-server.ts'
import type { Order, Setting } from './turn/contract.ts'

/** An answer of twenty tokens, without a pause and without a tool. */
const name = 'standin-len20'
const alone = 'engine alone'

/** What a turn costs from socket to socket, by the users who talk at once. */
export const benchmark: Benchmark = {
  description: 'a turn end to end over WebSocket against the engine alone, by users at once',
  sizes: [1, 10, 100, 1_000],
  rounds: 5,
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const { url, apiKey } = cleanup.use(await startModelStandIn({ recordLimit: 0 }))
  const model = { url, apiKey, name }
  const count = quick ? 4 : Math.max(50, Math.min(1_000, size * 4))
  const subjects: Subject[] = [await prepareEngine(model, { size, count }, cleanup)]
  for (const workers of quick ? [1] : [1, 2]) {
    const server = cleanup.use(await startRunningServer({ workers, users: size, model }))
    const named = `server, ${workers} worker${workers > 1 ? 's' : ''}`
    const run = (times: number) => serve(server, size, times)
    await run(Math.min(count, 50))
    subjects.push({ name: named, baseline: alone, count, run })
  }
  return { subjects }
}

async function prepareEngine(
  { url, apiKey, name: model }: { url: string; apiKey: string; name: string },
  { size, count }: { size: number; count: number },
  cleanup: AsyncDisposableStack,
): Promise<Subject> {
  const setting: Setting = { engine: 'ours', url, apiKey, model, history: 0, sessions: size }
  const main = join(import.meta.dirname, 'turn/turn-main.ts')
  const worker = cleanup.use(await startWorker<Order>(main, [JSON.stringify(setting)]))
  await worker.run({ count: Math.min(count, 50), atOnce: size })
  return { name: alone, count, run: (times) => worker.run({ count: times, atOnce: size }) }
}

/** `times` turns, each user one at a time. */
async function serve(server: RunningServer, users: number, times: number): Promise<Spent> {
  const free = Array.from({ length: users }, (_, user) => user)
  const cpu = await server.cpu()
  const start = performance.now()
  await repeat(times, users, async () => {
    const user = free.shift()!
    await server.turn(user)
    free.push(user)
  })
  const wall = (performance.now() - start) * 1000
  return { wall, cpu: (await server.cpu()) - cpu }
}
