import type { ServerHealthChange } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { sumSpans, toSpans } from './health-spans.ts'

const change = (at: number, status: ServerHealthChange['status'], fault?: 'connecting') => ({
  ...{ at, status, user_id: null, from: null },
  ...(fault && { fault }),
})
const changes = [
  change(90, 'running'),
  change(80, 'error'),
  change(20, 'running'),
  change(10, 'stopped', 'connecting'),
]

test('changes are spans from one to the next, the last until now', () => {
  expect(toSpans(changes, { from: 0, to: 100 })).toEqual([
    { state: 'connecting', from: 10, to: 20 },
    { state: 'connected', from: 20, to: 80 },
    { state: 'error', from: 80, to: 90 },
    { state: 'connected', from: 90, to: 100 },
  ])
})

test('of a change before the window its part within counts', () => {
  const spans = toSpans(changes, { from: 60, to: 100 })
  expect(spans[0]).toEqual({ state: 'connected', from: 60, to: 80 })
  expect(sumSpans(spans)).toEqual([
    ['connected', 30],
    ['error', 10],
  ])
})

test('of nothing known nothing is said', () => {
  expect(toSpans([], { from: 0, to: 100 })).toEqual([])
})
