import { join } from 'node:path'
import { findService } from '@dataagent/testkit'
import { type Kind, kinds, type Order, type Setting, type Way } from './data/contract.ts'
import { makeTable } from './data/make-table.ts'
import {
  type Benchmark,
  type PrepareContext,
  type Prepared,
  prepareWith,
  type Subject,
  startWorker,
} from './harness.ts'

const main = join(import.meta.dirname, 'data/data-main.ts')

/** The rows that a turn reads, in so many queries at most; a larger table is read once. */
const turnRows = 100_000
const turnQueries = 40
const warmTurns = 4
/** Beyond it a call keeps the first rows and counts the others. */
const keptRows = 100_000
/** The others would take minutes. */
const mostRows: Record<Kind, number> = {
  ...{ duckdb: 10_000_000, sqlite: 1_000_000, mysql: 1_000_000, postgres: 1_000_000 },
}

/** What a query costs whose rows are all taken, by how many there are. */
export const benchmark: Benchmark = {
  description: 'all rows of a query by our engines, and by run_sql, against each bare driver',
  sizes: [1_000, 10_000, 100_000, 1_000_000, 10_000_000],
  rounds: 3,
  prepare: prepareWith(prepare),
}

async function prepare(
  { size, quick, signal }: PrepareContext,
  cleanup: AsyncDisposableStack,
): Promise<Prepared> {
  const subjects: Subject[] = []
  for (const kind of kinds) {
    if (size > mostRows[kind] || !(await isHere(kind))) continue
    const table = await makeTable(kind, size, cleanup)
    const ways: Way[] = size > keptRows ? ['bare', 'engine'] : ['bare', 'engine', 'tool']
    for (const way of ways) {
      signal.throwIfAborted()
      const setting: Setting = { way, table, rows: size }
      const worker = cleanup.use(await startWorker<Order>(main, [JSON.stringify(setting)]))
      const count = quick ? 1 : Math.min(turnQueries, Math.ceil(turnRows / size))
      // Code that has run often is another one than code that runs first.
      if (!quick && size <= turnRows) await worker.run({ count: count * warmTurns })
      subjects.push({
        ...{ name: nameOf(kind, way), ...(way !== 'bare' && { baseline: nameOf(kind, 'bare') }) },
        ...{ count, run: (times: number) => worker.run({ count: times }) },
      })
    }
  }
  return { subjects }
}

async function isHere(kind: Kind): Promise<boolean> {
  return kind === 'duckdb' || kind === 'sqlite' || (await findService(kind)) !== undefined
}

function nameOf(kind: Kind, way: Way): string {
  if (way === 'engine') return kind
  return way === 'bare' ? `${kind} (bare driver)` : `${kind}, whole call of run_sql`
}
