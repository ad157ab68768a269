import { type FigureDatabase, startFigureServer } from './figure-server.ts'
import { type LoadCounts, loadFor, people, warm } from './load-for.ts'
import { summarise, type Times } from './percentile.ts'
import { startUsers } from './turns.ts'

export interface ThroughputFigures {
  users: number
  seconds: number
  servers: { database: FigureDatabase; workers: number; perSecond: number; times: Times }[]
}

const users = 64

/** Turns a second of users who ask without a pause, by database and worker processes. */
export async function measureThroughput(
  { seconds, databases, workers: counts }: LoadCounts,
  onStep: (step: string) => void,
): Promise<ThroughputFigures> {
  const servers: ThroughputFigures['servers'] = []
  for (const database of databases) {
    for (const workers of counts) {
      onStep(`${workers} workers on ${database}`)
      await using server = await startFigureServer({ people, workers, database })
      await warm(server.url)
      const load = startUsers({ url: server.url, people: people.slice(0, users) })
      const { times, perSecond } = await loadFor(seconds, load)
      servers.push({ database, workers, perSecond, times: summarise(times) })
    }
  }
  return { users, seconds, servers }
}
