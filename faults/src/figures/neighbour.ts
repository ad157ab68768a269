import { setTimeout as delay } from 'node:timers/promises'
import { startFigureServer } from './figure-server.ts'
import { type LoadFigures, startArrivalsApart } from './load-apart.ts'
import { floods, type LoadCounts, loadFor, others, people, warm } from './load-for.ts'
import { summarise, type Times } from './percentile.ts'
import { startArrivals } from './turns.ts'

export interface NeighbourFigures {
  /** Of the calm tenant. */
  perSecond: number
  /** By how many turns may run at once. */
  limits: BesideFlood[]
}

interface BesideFlood {
  runningTurns: number
  alone: Times
  flooded: Times
  /** Turns of the calm tenant that were refused beside the flood. */
  refused: number
  /** Of the slowest of a hundred. */
  ratio: number
  flood: LoadFigures
}

const perSecond = 5
const timesMore = 100
/** Alone and beside the flood, in turns: what else the machine does falls on both. */
const rounds = 4

/** Users who ask now and then, alone and beside a tenant that asks a hundred times as much. */
export async function measureNeighbour(
  { samples, runningTurns }: LoadCounts,
  onStep: (step: string) => void,
): Promise<NeighbourFigures> {
  const limits: BesideFlood[] = []
  for (const limit of runningTurns) {
    limits.push(await measureBeside(limit, samples, (step) => onStep(`${limit} turns, ${step}`)))
  }
  return { perSecond, limits }
}

async function measureBeside(
  runningTurns: number,
  samples: number,
  onStep: (step: string) => void,
): Promise<BesideFlood> {
  const env = { DATAAGENT_MAX_RUNNING_TURNS: String(runningTurns) }
  await using server = await startFigureServer({ people, env })
  await warm(server.url)
  const { url } = server
  const calm = { url, people: others.slice(0, 10), perSecond }
  const seconds = samples / rounds / perSecond
  const [quiet, beside, loads]: [number[], number[], LoadFigures[]] = [[], [], []]
  let refused = 0
  for (let round = 1; round <= rounds; round += 1) {
    onStep(`round ${round}: alone`)
    quiet.push(...(await loadFor(seconds, startArrivals(calm))).times)
    onStep(`round ${round}: beside a flood`)
    await using flood = startArrivalsApart({
      ...{ url, people: floods, perSecond: perSecond * timesMore },
    })
    await delay(2_000)
    const under = await loadFor(seconds, startArrivals(calm))
    loads.push(await flood.end())
    beside.push(...under.times)
    refused += under.shed
  }
  const [alone, flooded] = [summarise(quiet), summarise(beside)]
  const ratio = flooded.p99 / alone.p99
  return { runningTurns, alone, flooded, refused, ratio, flood: addUp(loads) }
}

function addUp(loads: readonly LoadFigures[]): LoadFigures {
  const sum = (name: keyof LoadFigures) => loads.reduce((all, load) => all + load[name], 0)
  return {
    ...{ perSecond: perSecond * timesMore, seconds: sum('seconds') },
    ...{ asked: sum('asked'), answered: sum('answered'), shed: sum('shed') },
  }
}
