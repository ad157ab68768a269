import { setTimeout as delay } from 'node:timers/promises'
import { startFigureServer } from './figure-server.ts'
import { floods, type LoadCounts, loadFor, others, people, warm } from './load-for.ts'
import { summarise } from './percentile.ts'
import { startArrivals, startUsers } from './turns.ts'

/** Users who ask now and then, alone and beside a tenant with a hundred who do not stop. */
export async function measureNeighbour({ seconds }: LoadCounts, onStep: (step: string) => void) {
  await using server = await startFigureServer({ people })
  await warm(server.url)
  const { url } = server
  const calm = { url, people: others.slice(0, 10), perSecond: 5 }
  onStep('alone')
  const quiet = await loadFor(seconds, startArrivals(calm))
  onStep('beside a flood')
  await using flood = startUsers({ url, people: floods })
  await delay(2_000)
  const beside = await loadFor(seconds, startArrivals(calm))
  const [alone, flooded] = [summarise(quiet.times), summarise(beside.times)]
  return { alone, flooded, ratio: flooded.p99 / alone.p99, floodShed: flood.shed }
}
