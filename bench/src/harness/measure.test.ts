import { expect, test } from 'vitest'
import type { Subject } from './benchmark.ts'
import { measure } from './measure.ts'

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

function burn(milliseconds: number) {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
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
    burn(count * 0.5)
  }
  await measure([{ name: 'half a millisecond', run }], { rounds: 1, turnMs: 10, signal })
  const used = counts.at(-1) ?? 0
  expect(used).toBeGreaterThan(4)
  expect(used).toBeLessThan(40)
})

test('cost is told per operation: waiting costs no CPU, burning does', async () => {
  const subjects: Subject[] = [
    { name: 'burns', count: 10, run: (count) => burn(count * 3) },
    { name: 'waits', count: 10, run: () => new Promise((resolve) => setTimeout(resolve, 30)) },
  ]
  const [burns, waits] = await measure(subjects, { rounds: 1, turnMs: 1, signal })
  expect(burns?.samples[0]?.wall).toBeGreaterThan(2_900)
  expect(waits?.samples[0]?.wall).toBeGreaterThan(2_900)
  expect(burns?.samples[0]?.cpu).toBeGreaterThan(2 * (waits?.samples[0]?.cpu ?? 0))
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
