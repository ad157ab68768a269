import { findService } from '@dataagent/testkit'
import { type Benchmark, repeat, type Subject } from './harness.ts'
import { type BareDriver, bareDrivers, type StoreKind } from './store/bare-driver.ts'
import { makeDatabase } from './store/database.ts'
import { json, type Log, makeLogs } from './store/logs.ts'

const hands = 64
const tail = 50

/** Appends and tail reads of the event log against the driver alone, by the log's length. */
export const benchmark: Benchmark = {
  description: 'appends and tail reads of a session whose log grows, against each bare driver',
  sizes: [1_000, 10_000, 100_000],
  async prepare({ size, quick }) {
    const cleanup = new AsyncDisposableStack()
    const subjects: Subject[] = []
    for (const kind of ['sqlite', 'mysql', 'postgres'] as const) {
      if (kind !== 'sqlite' && !(await findService(kind))) continue
      const url = await makeDatabase(kind, cleanup)
      const logs = await makeLogs(url, quick ? 100 : size, cleanup)
      const bare = cleanup.use(await bareDrivers[kind](url))
      subjects.push(...subjectsOf(kind, { ...logs, driver: bare, scale: quick ? 0.05 : 1 }))
    }
    return { subjects, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
  },
}

interface Setting {
  ours: Log
  bare: Log
  driver: BareDriver
  /** Of the number of operations in a round. */
  scale: number
}

function subjectsOf(kind: StoreKind, { ours, bare, driver, scale }: Setting): Subject[] {
  const append = {
    bare: () => driver.append(bare.session_id, bare.nextSeq()),
    ours: () => ours.store.events.append(ours.session_id, [{ kind: 'text', json }]),
  }
  const readTail = {
    bare: () => driver.tail(bare.session_id, tail),
    ours: () => ours.store.events.tail(ours.session_id, tail),
  }
  return [
    ...pair(`${kind} append, 1 at a time`, { ...append, atOnce: 1, count: 100 * scale }),
    ...pair(`${kind} append, ${hands} at a time`, {
      ...append,
      atOnce: hands,
      count: 2_000 * scale,
    }),
    ...pair(`${kind} last ${tail} events`, { ...readTail, atOnce: hands, count: 1_000 * scale }),
  ]
}

interface Work {
  bare(): Promise<unknown>
  ours(): Promise<unknown>
  atOnce: number
  count: number
}

function pair(name: string, { bare, ours, atOnce, count }: Work): Subject[] {
  const baseline = `${name} (bare driver)`
  return [
    { name: baseline, count, run: () => repeat(count, atOnce, bare) },
    { name, baseline, count, run: () => repeat(count, atOnce, ours) },
  ]
}
