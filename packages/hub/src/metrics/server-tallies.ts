import type { ToolCallStatus } from '@dataagent/schema'

/** The calls of one server that have ended. */
export interface Tally {
  readonly server_id: string
  readonly ended: Map<ToolCallStatus, number>
  /** Calls by the first bound that they did not pass; the last for those that passed them all. */
  readonly buckets: number[]
  seconds: number
  count: number
}

/** Counts by plain numbers: what a look at the metrics shows is made when one looks. */
export interface ServerTallies {
  add(server_id: string, status: ToolCallStatus, seconds: number): void
  all(): Iterable<Tally>
}

export interface ServerTalliesOptions {
  /** Upper bounds of the durations, smallest first. */
  bounds: readonly number[]
  /** Servers beyond this many are counted together. */
  maxServers: number
  /** The name under which they are. */
  others: string
}

export function createServerTallies(options: ServerTalliesOptions): ServerTallies {
  const { bounds, maxServers, others } = options
  const tallies = new Map<string, Tally>()

  function tallyOf(server_id: string): Tally {
    const known = tallies.get(server_id)
    if (known) return known
    if (tallies.size >= maxServers && server_id !== others) return tallyOf(others)
    const buckets = new Array<number>(bounds.length + 1).fill(0)
    const tally = { server_id, ended: new Map(), buckets, seconds: 0, count: 0 }
    tallies.set(server_id, tally)
    return tally
  }

  return {
    add(server_id, status, seconds) {
      const tally = tallyOf(server_id)
      tally.ended.set(status, (tally.ended.get(status) ?? 0) + 1)
      let at = 0
      while (at < bounds.length && seconds > bounds[at]!) at += 1
      tally.buckets[at]! += 1
      tally.seconds += seconds
      tally.count += 1
    },
    all: () => tallies.values(),
  }
}
