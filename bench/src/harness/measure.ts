import { setImmediate } from 'node:timers/promises'
import type { Spent, Subject } from './benchmark.ts'
import { cpuOf, ownCpu } from './cpu.ts'

/** What one operation cost in one round, in microseconds. */
export interface Sample {
  wall: number
  cpu: number
  /** Of the subject's other processes. */
  childCpu: number
  /** The longest of the round, where the subject tells it. */
  stall?: number
  /** Bytes of memory that came with it, where the subject tells it. */
  grown?: number
}

export interface Measured {
  subject: Subject
  /** One per round, in order: the n-th samples of two subjects stood side by side. */
  samples: Sample[]
}

export interface MeasureOptions {
  rounds: number
  /** How long a turn should take, where the subject does not fix its count. */
  turnMs: number
  signal: AbortSignal
}

/** Gives every subject one turn in each round, the first of them another in each. */
export async function measure(
  subjects: readonly Subject[],
  { rounds, turnMs, signal }: MeasureOptions,
): Promise<Measured[]> {
  const entries = []
  for (const subject of subjects) {
    const count = subject.count ?? (await calibrate(subject, turnMs, signal))
    entries.push({ subject, count, samples: [] as Sample[] })
  }
  for (let round = 0; round < rounds; round++) {
    for (const { subject, count, samples } of rotate(entries, round)) {
      samples.push(await takeTurn(subject, count, signal))
    }
  }
  return entries
}

/** Doubles the count until a turn is long enough; warms the subject up on the way. */
async function calibrate(subject: Subject, turnMs: number, signal: AbortSignal): Promise<number> {
  let count = 1
  while (true) {
    const { wall } = await takeTurn(subject, count, signal)
    const tookMs = (wall * count) / 1000
    if (tookMs >= turnMs / 2) return Math.max(1, Math.round((count * turnMs) / tookMs))
    count *= 2
  }
}

async function takeTurn(subject: Subject, count: number, signal: AbortSignal): Promise<Sample> {
  // A subject that never waits would otherwise keep Ctrl-C from being heard.
  await setImmediate()
  signal.throwIfAborted()
  globalThis.gc?.()
  const pids = subject.pids ?? []
  const childBefore = await cpuOf(pids)
  const cpuBefore = ownCpu()
  const start = performance.now()
  const told = await subject.run(count, signal)
  const measured = { wall: (performance.now() - start) * 1000, cpu: ownCpu() - cpuBefore }
  const { wall, cpu, stall, grown }: Spent = told ?? measured
  const childCpu = (await cpuOf(pids)) - childBefore
  return {
    ...{ wall: wall / count, cpu: cpu / count, childCpu: childCpu / count },
    ...(stall !== undefined && { stall }),
    ...(grown !== undefined && { grown: grown / count }),
  }
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const first = by % Math.max(1, items.length)
  return [...items.slice(first), ...items.slice(0, first)]
}
