import { startFigureServer } from './figure-server.ts'
import { type LoadCounts, loadFor, people, warm } from './load-for.ts'
import { summarise, type Times } from './percentile.ts'
import { startUsers } from './turns.ts'

/** Turns a second of 64 users who ask without a pause, by worker processes. */
export async function measureThroughput(
  { seconds }: LoadCounts,
  onStep: (step: string) => void,
): Promise<{ workers: { workers: number; perSecond: number; times: Times }[] }> {
  const told: { workers: number; perSecond: number; times: Times }[] = []
  for (const workers of [1, 2, 4]) {
    onStep(`${workers} workers`)
    await using server = await startFigureServer({ people, workers })
    await warm(server.url)
    const users = startUsers({ url: server.url, people: people.slice(0, 64) })
    const { times } = await loadFor(seconds, users)
    told.push({ workers, perSecond: times.length / seconds, times: summarise(times) })
  }
  return { workers: told }
}
