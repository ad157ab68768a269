import { McpError, type McpErrorKind } from '@dataagent/mcp'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { type Breaker, type BreakerState, createBreaker } from './breaker.ts'

function create() {
  const clock = createFakeClock()
  const states: BreakerState[] = []
  const breaker = createBreaker({ clock, onChange: (state) => states.push(state) })
  return { clock, states, breaker }
}

function toError(kind: McpErrorKind, details: Partial<McpError> = {}): McpError {
  return new McpError({ kind, code: 'internal', message: kind, ...(details as object) })
}

function fail(breaker: Breaker, times: number, error = toError('network')): void {
  for (let time = 0; time < times; time += 1) breaker.failed('usual', error)
}

test('opens after five failures in a row, and says when to come back', () => {
  const { breaker, clock } = create()
  fail(breaker, 4)
  breaker.succeeded('usual')
  fail(breaker, 4)
  expect(breaker.admit()).toBe('usual')
  fail(breaker, 1)
  clock.advance(400)
  expect(breaker.admit()).toBe(600)
})

test('lets one call through when its time is over, and closes if that goes well [F10]', () => {
  const { breaker, clock, states } = create()
  fail(breaker, 5)
  clock.advance(1_000)
  expect([breaker.admit(), breaker.admit()]).toEqual(['probe', 1_000])
  breaker.succeeded('probe')
  expect(breaker.admit()).toBe('usual')
  expect(states).toEqual(['open', 'half_open', 'closed'])
})

test('stays open twice as long after each failed probe, at most 30 s', () => {
  const { breaker, clock } = create()
  fail(breaker, 5)
  const waits: number[] = []
  for (let probe = 0; probe < 7; probe += 1) {
    const ms = breaker.admit() as number
    waits.push(ms)
    clock.advance(ms)
    expect(breaker.admit()).toBe('probe')
    breaker.failed('probe', toError('timeout'))
  }
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
})

test('a probe that its caller has given up leaves room for another', () => {
  const { breaker, clock } = create()
  fail(breaker, 5)
  clock.advance(1_000)
  breaker.admit()
  breaker.failed('probe', toError('cancelled'))
  expect(breaker.admit()).toBe('probe')
})

test.each([
  [toError('rpc'), 'closed'],
  [toError('http', { statusCode: 404 }), 'closed'],
  [toError('http', { statusCode: 503 }), 'open'],
  [toError('cancelled'), 'closed'],
  [toError('unavailable', { retryable: true }), 'closed'],
  [toError('closed', { retryable: true, mayHaveRun: true }), 'open'],
  [toError('timeout'), 'open'],
] as const)('five times %s leave it %s', (error, state) => {
  const { breaker } = create()
  fail(breaker, 5, error)
  expect(breaker.state).toBe(state)
})

test('a server that was connected anew begins with a clean slate', () => {
  const { breaker } = create()
  fail(breaker, 5)
  breaker.reset()
  expect(breaker.admit()).toBe('usual')
})
