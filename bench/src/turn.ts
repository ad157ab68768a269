import { join } from 'node:path'
import { startModelStandIn } from '@dataagent/testkit'
import {
  type Benchmark,
  type PrepareContext,
  type Prepared,
  prepareWith,
  type Subject,
  startWorker,
} from './harness.ts'
import { type EngineName, engineNames, type Order, type Setting } from './turn/contract.ts'

const [bare] = engineNames
/** One tool call, then an answer of twenty tokens, without a pause. */
const model = 'standin-tools1-len20'
/** LangChain's turns at ten thousand messages take seconds each. */
const tooSlowAbove: Partial<Record<EngineName, number>> = { langchain: 1_000 }

/** What a turn costs by the messages that the session holds, alone and a hundred at once. */
export const benchmark: Benchmark = {
  description:
    'a turn with one tool call against a bare loop, ai and langchain, by length of history',
  sizes: [10, 100, 1_000, 10_000],
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const { url, apiKey } = cleanup.use(await startModelStandIn({ recordLimit: 0 }))
  const sessions = quick ? 4 : Math.max(4, Math.min(100, 40_000 / size))
  const main = join(import.meta.dirname, 'turn/turn-main.ts')
  const subjects: Subject[] = []
  for (const engine of engineNames) {
    if (size > (tooSlowAbove[engine] ?? Number.POSITIVE_INFINITY)) continue
    const setting: Setting = { engine, url, apiKey, model, history: size, sessions }
    const worker = cleanup.use(await startWorker<Order>(main, [JSON.stringify(setting)]))
    await worker.run({ count: quick ? 4 : Math.max(2 * sessions, 50), atOnce: 4 })
    const count = quick ? 4 : size > 1_000 ? 10 : 50
    const compared = (name: string) => (engine === bare ? {} : { baseline: name })
    subjects.push({
      ...{ name: engine, ...compared(bare), count },
      run: (times) => worker.run({ count: times, atOnce: 1 }),
    })
    if (size > 100) continue
    subjects.push({
      ...{ name: `${engine}, 100 at once`, ...compared(`${bare}, 100 at once`) },
      count: quick ? 4 : 200,
      run: (times) => worker.run({ count: times, atOnce: Math.min(100, sessions) }),
    })
  }
  return { subjects }
}
