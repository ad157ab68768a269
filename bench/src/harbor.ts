import { type Asker, createClientAsker, runJob } from '@dataagent/harbor'
import { questionSchema } from '@dataagent/schema'
import { type Ask, askByFetch, askBySocket } from './harbor/bare.ts'
import { startStandIn } from './harbor/stand-in.ts'
import {
  type Benchmark,
  type PrepareContext,
  type Prepared,
  prepareWith,
  repeat,
  type Subject,
} from './harness.ts'

/** What asking itself costs: the less, the more users one machine can play. */
export const benchmark: Benchmark = {
  description: 'one question put by harbor against a bare loop, by users at once',
  sizes: [10, 100, 1_000],
  rounds: 7,
  prepare: prepareWith(prepare),
}

const question = questionSchema.parse({
  ...{ question_id: 'q1', question: 'How many orders are open?', expected_keywords: ['42'] },
})
const set = { name: 'bench', questions: [question] }

async function prepare(
  { size, quick }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const { url } = cleanup.use(await startStandIn())
  const count = quick ? 20 : Math.max(200, size * 2)
  const client = { baseUrl: url, apiKey: 'key' }
  const subjects: Subject[] = []
  for (const [transport, ask] of [
    ['rest', askByFetch],
    ['ws', askBySocket],
  ] as const) {
    const asker = cleanup.use(createClientAsker({ client, transport, approve: 'never' }))
    const [bare, alone, job] = [`bare ${transport}`, `asker ${transport}`, `job ${transport}`]
    subjects.push({ name: bare, count, run: (times) => runBare(ask, url, { times, size }) })
    const loop = (times: number) => repeat(times, size, () => askOnce(asker))
    subjects.push({ name: alone, baseline: bare, count, run: loop })
    const runWhole = (times: number) => runAll(asker, times, size)
    subjects.push({ name: job, baseline: alone, count, run: runWhole })
  }
  for (const { run } of subjects) await run(Math.min(count, 100), AbortSignal.timeout(60_000))
  return { subjects }
}

const runBare = (ask: Ask, url: string, { times, size }: { times: number; size: number }) =>
  repeat(times, size, () => ask(url))

async function askOnce(asker: Asker): Promise<void> {
  const { signal } = new AbortController()
  const { error } = await asker.ask(question.question, { signal })
  if (error) throw new Error(error.message)
}

async function runAll(asker: Asker, attempts: number, concurrency: number): Promise<void> {
  const { counts } = await runJob({
    ...{ run_id: 'bench', set, asker, attempts, max_seconds: 60 },
    load: {
      ...{ mode: 'closed', concurrency, ramp_seconds: 0, warm_up_seconds: 0 },
      duration_seconds: null,
    },
    target: {
      ...{ url: '', transport: asker.transport, assistant_id: null, server_version: null },
    },
  })
  if (counts.passed !== attempts) throw new Error(JSON.stringify(counts))
}
