import { expect, test } from 'vitest'
import type { Subject } from './benchmark.ts'
import { type Measured, measure } from './measure.ts'

const { signal } = new AbortController()

/** Subjects that note their turns. */
function noting(names: string[], count?: number) {
  const turns: string[] = []
  const subjects: Subject[] = names.map((name) => ({
    name,
    ...(count !== undefined && { count }),
    run: (operations) => void turns.push(`${name}${operations}`),
  }))
  return { turns, subjects }
}

/** Works until so much CPU time is gone, however much of a busy machine it gets. */
function burn(milliseconds: number) {
  const start = process.cpuUsage()
  for (let spent = 0; spent < milliseconds * 1000; ) {
    const { user, system } = process.cpuUsage(start)
    spent = user + system
  }
}

test('subjects take turns, another first in each round', async () => {
  const { turns, subjects } = noting(['a', 'b', 'c'], 5)
  await measure(subjects, { rounds: 4, turnMs: 1, signal })
  expect(turns.join(' ')).toBe('a5 b5 c5 b5 c5 a5 c5 a5 b5 a5 b5 c5')
})

test('every subject has one sample a round', async () => {
  const { subjects } = noting(['a', 'b'], 1)
  const measured = await measure(subjects, { rounds: 3, turnMs: 1, signal })
  expect(measured.map(({ samples }) => samples.length)).toEqual([3, 3])
})

test('the count of a subject without one fills a turn', async () => {
  const counts: number[] = []
  const run = (count: number) => {
    counts.push(count)
    return { wall: count * 500, cpu: 0 }
  }
  await measure([{ name: 'half a millisecond', run }], { rounds: 1, turnMs: 10, signal })
  expect(counts).toEqual([1, 2, 4, 8, 16, 20])
})

test('cost is told per operation: waiting costs no CPU, burning does', async () => {
  const subjects: Subject[] = [
    { name: 'burns', count: 10, run: (count) => burn(count * 3) },
    { name: 'waits', count: 10, run: () => new Promise((resolve) => setTimeout(resolve, 30)) },
  ]
  const [burns, waits] = await measure(subjects, { rounds: 5, turnMs: 1, signal })
  const least = ({ samples }: Measured, of: 'wall' | 'cpu') =>
    Math.min(...samples.map((s) => s[of]))
  expect(least(burns!, 'cpu')).toBeGreaterThanOrEqual(3_000)
  expect(least(waits!, 'wall')).toBeGreaterThan(2_900)
  expect(least(waits!, 'cpu')).toBeLessThan(3_000)
})

test('what another process spent is taken as it is told', async () => {
  const told = { wall: 4_000, cpu: 2_000, stall: 70, grown: 5_000 }
  const options = { rounds: 1, turnMs: 1, signal }
  const [elsewhere] = await measure([{ name: 'elsewhere', count: 10, run: () => told }], options)
  expect(elsewhere?.samples).toEqual([{ wall: 400, cpu: 200, childCpu: 0, stall: 70, grown: 500 }])
})

test('an interrupt ends it before the next turn', async () => {
  const interrupt = new AbortController()
  const { turns, subjects } = noting(['a', 'b'], 1)
  const stopping = { name: 'stop', count: 1, run: () => interrupt.abort() }
  const all = [stopping, ...subjects]
  const options = { rounds: 1, turnMs: 1, signal: interrupt.signal }
  await expect(measure(all, options)).rejects.toThrow(/abort/)
  expect(turns).toEqual([])
})
