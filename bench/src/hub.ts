import { join } from 'node:path'
import {
  type Benchmark,
  type PrepareContext,
  type Prepared,
  prepareWith,
  type Subject,
  startWorker,
} from './harness.ts'
import type { Order, Setting, Work } from './hub/contract.ts'
import { startEchoServer } from './mcp-client/echo-server.ts'

/** Each work, what it is compared with, and how often a round does it. */
const works: readonly { work: Work; baseline?: Work; count: number }[] = [
  { work: 'client call', count: 2_000 },
  { work: 'governed call', baseline: 'client call', count: 2_000 },
  { work: 'list, new caller', count: 20 },
  { work: 'list, known caller', baseline: 'list, new caller', count: 100_000 },
  { work: 'decide, new caller', count: 20_000 },
  { work: 'decide, known caller', baseline: 'decide, new caller', count: 200_000 },
]
const toolsMax = 10_000

/** What governing a call costs, and how that grows with tools and with the rules of others. */
export const benchmark: Benchmark = {
  description: 'a governed call against the bare one; lists and decisions, by tools and rules',
  sizes: [10, 100, 1_000, 10_000, 100_000],
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const { url } = cleanup.use(await startEchoServer())
  const setting: Setting = { url, tools: Math.min(size, toolsMax), rules: size }
  const main = join(import.meta.dirname, 'hub/hub-main.ts')
  const worker = cleanup.use(await startWorker<Order>(main, [JSON.stringify(setting)]))
  const subjects = works.map(({ work, baseline, count }): Subject => {
    const compared = baseline === undefined ? {} : { baseline }
    const run = (times: number) => worker.run({ work, count: times })
    return { name: work, ...compared, count: quick ? Math.min(count, 20) : count, run }
  })
  if (!quick) await worker.run({ work: 'governed call', count: 5_000 })
  return { subjects }
}
