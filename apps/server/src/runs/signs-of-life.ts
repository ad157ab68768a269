import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import type { RunRow, Runs } from '../ports/index.ts'
import type { LocalRuns } from './local-runs.ts'

export interface SignsOfLifeOptions {
  runs: Pick<Runs, 'seen'>
  kv: Pick<Kv, 'get' | 'set'>
  local: Pick<LocalRuns, 'all'>
  clock: Clock
  /** This process. */
  owner: string
  /** Whether all servers of the database have this KV: then it tells of each who is alive. */
  isKvCommon: boolean
  /** Told once that a server is alive which does not have this KV. */
  onStranger(): void
}

/**
 * Which processes are alive: those of one KV say so in it, and servers that have but the database
 * in common on the rows of their runs. There each one watches whether what others write changes:
 * their clocks tell nothing.
 */
export interface SignsOfLife {
  /** From now on says that this process is alive. */
  start(): void
  stop(): void
  /** Those of all open runs that their process has left, or died in. */
  findLeft(open: readonly RunRow[]): Promise<RunRow[]>
  /** Whether it may be gone on with, if nobody of this KV has its session. */
  isFree(row: RunRow): Promise<boolean>
}

const everyMs = 2_000
/** How long a process counts as alive after it last said so. */
const aliveMs = 3 * everyMs

const aliveKey = (owner: string) => `process:${owner}`

export function createSignsOfLife(options: SignsOfLifeOptions): SignsOfLife {
  const { runs, kv, local, clock, owner, isKvCommon, onStranger } = options
  /** What the rows of others said, and since when. */
  const watched = new Map<string, { seen_at: number; since: number }>()
  let isStrangerTold = false
  let isStopped = false
  let cancelTimer = () => {}

  async function give(): Promise<void> {
    await kv.set(aliveKey(owner), '1', { ttlMs: aliveMs })
    if (!isKvCommon && local.all().length > 0) await runs.seen(owner, clock.now())
  }

  /** One that cannot be given is no news: what is looked for cannot be found either. */
  function keepGiving(): void {
    give()
      .catch(() => {})
      .finally(() => {
        if (!isStopped) cancelTimer = clock.after(everyMs, keepGiving)
      })
  }

  async function findNear(rows: readonly RunRow[]): Promise<Set<string>> {
    const owners = [...new Set(rows.map((row) => row.owner))]
    const states = await Promise.all(owners.map((one) => kv.get(aliveKey(one))))
    return new Set(owners.filter((_, index) => states[index] !== undefined))
  }

  function watch({ run_id, seen_at }: RunRow): void {
    const known = watched.get(run_id)
    if (known?.seen_at === seen_at) return
    watched.set(run_id, { seen_at, since: clock.monotonic() })
    if (known === undefined || isStrangerTold) return
    isStrangerTold = true
    onStranger()
  }

  function isSilent({ run_id, seen_at }: RunRow): boolean {
    const known = watched.get(run_id)
    return known?.seen_at === seen_at && clock.monotonic() - known.since >= aliveMs
  }

  const isLeft = (row: RunRow) => row.owner === '' || isKvCommon || isSilent(row)

  return {
    start() {
      isStopped = false
      keepGiving()
    },
    stop() {
      isStopped = true
      cancelTimer()
    },
    async findLeft(open) {
      const others = open.filter((row) => row.owner !== owner)
      const near = await findNear(others)
      const far = others.filter((row) => !near.has(row.owner))
      if (!isKvCommon) far.filter((row) => row.owner !== '').forEach(watch)
      const ids = new Set(far.map(({ run_id }) => run_id))
      for (const run_id of watched.keys()) if (!ids.has(run_id)) watched.delete(run_id)
      return far.filter(isLeft)
    },
    async isFree(row) {
      return row.owner === owner || isLeft(row) || (await findNear([row])).size > 0
    },
  }
}
