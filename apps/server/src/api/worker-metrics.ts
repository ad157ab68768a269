import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'

export interface WorkerMetricsOptions {
  kv: Pick<Kv, 'publish' | 'subscribe'>
  /** What the workers of one server have in common, and no others. */
  place: string
  /** What is counted here, each sample with the label of this worker. */
  text(): Promise<string>
}

/** How long others are waited for: less than a scrape waits for us. */
const patienceMs = 1_000

const channelOf = (place: string) => `metrics:${place}`

/** Answers the other workers of this server. Rejects where the KV is away; the function ends it. */
export async function answerWorkers({ kv, place, text }: WorkerMetricsOptions) {
  return kv.subscribe(channelOf(place), async (reply) => kv.publish(reply, await text()))
}

/** What all workers count: of this one and of so many others, as far as they answer in time. */
export async function askWorkers(
  { kv, place, text }: WorkerMetricsOptions,
  { workers, clock }: { workers: number; clock: Clock },
): Promise<string> {
  if (workers <= 1) return text()
  const reply = `${channelOf(place)}:${randomUUID()}`
  const answers: string[] = []
  const complete = Promise.withResolvers<void>()
  const leave = await kv.subscribe(reply, (answer) => {
    answers.push(answer)
    if (answers.length >= workers) complete.resolve()
  })
  const cancel = clock.after(patienceMs, complete.resolve)
  try {
    // This one answers itself, too.
    await kv.publish(channelOf(place), reply)
    await complete.promise
    return joinMetrics(answers.length > 0 ? answers : [await text()])
  } finally {
    cancel()
    await leave()
  }
}

/** Several texts in the exposition format as one: each metric is described once. */
export function joinMetrics(texts: readonly string[]): string {
  const families = new Map<string, { head: string[]; samples: string[] }>()
  for (const text of texts) {
    let family = { head: [] as string[], samples: [] as string[] }
    let isNew = true
    for (const line of text.split('\n')) {
      const [, word, name = ''] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? []
      if (word === 'HELP') {
        isNew = !families.has(name)
        family = families.get(name) ?? { head: [], samples: [] }
        families.set(name, family)
      }
      if (word !== undefined) {
        if (isNew) family.head.push(line)
      } else if (line !== '') family.samples.push(line)
    }
  }
  const blocks = [...families.values()].map(({ head, samples }) => [...head, ...samples].join('\n'))
  return `${blocks.join('\n\n')}\n`
}
