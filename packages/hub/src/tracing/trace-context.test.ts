import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import {
  createIdSource,
  createTraceIdSource,
  isChosen,
  parseTraceContext,
  toTraceContext,
} from './trace-context.ts'

const trace_id = '4bf92f3577b34da6a3ce929d0e0e4736'
const span_id = '00f067aa0ba902b7'
const traceparent = `00-${trace_id}-${span_id}-01`

test('trace context is read and written again', () => {
  const parent = parseTraceContext({ traceparent, tracestate: 'rojo=1,congo=2' })!
  expect(parent).toMatchObject({ trace_id, span_id, isSampled: true, isRandom: false })
  expect(toTraceContext(parent)).toEqual({ traceparent, tracestate: 'rojo=1,congo=2' })
})

test.each([
  ['00', '00', { isSampled: false, isRandom: false }],
  ['00', '03', { isSampled: true, isRandom: true }],
  ['cc', '01', { isSampled: true }],
])('version %s with flags %s is read', (version, flags, expected) => {
  const context = { traceparent: `${version}-${trace_id}-${span_id}-${flags}` }
  expect(parseTraceContext(context)).toMatchObject(expected)
})

test('a later version may say more', () => {
  expect(parseTraceContext({ traceparent: `01-${trace_id}-${span_id}-01-more` })).toBeDefined()
})

test.each([
  '',
  'x',
  `ff-${trace_id}-${span_id}-01`,
  `00-${'0'.repeat(32)}-${span_id}-01`,
  `00-${trace_id}-${'0'.repeat(16)}-01`,
  `00-${trace_id.toUpperCase()}-${span_id}-01`,
  `${traceparent}-more`,
  `${traceparent}\n`,
  `00-${trace_id}-${span_id}`,
])('%j is no trace context', (bad) => {
  expect(parseTraceContext({ traceparent: bad })).toBeUndefined()
})

test('nothing of the baggage of a caller goes on, nor a tracestate without bounds', () => {
  const context = { traceparent, tracestate: 'x'.repeat(513), baggage: 'user=ana' }
  expect(toTraceContext(parseTraceContext(context)!)).toEqual({ traceparent })
})

test('ids are of their length, in hexadecimal digits, and not repeated', () => {
  const nextId = createIdSource()
  const ids = Array.from({ length: 20_000 }, (_, at) => nextId(at % 2 ? 16 : 32))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^([\da-f]{16}|[\da-f]{32})$/)
})

test('a quarter of the traces is about a quarter, and the same ones for everybody', () => {
  const nextId = createIdSource()
  const ids = Array.from({ length: 20_000 }, () => nextId(32))
  const chosen = ids.filter((id) => isChosen(id, 0.25))
  expect(chosen.length / ids.length).toBeCloseTo(0.25, 1)
  expect(chosen.every((id) => isChosen(id, 0.5))).toBe(true)
  expect(ids.some((id) => isChosen(id, 0))).toBe(false)
})

test('the id of a trace begins with the time, and the rest of it is random', () => {
  const nextTraceId = createTraceIdSource(createFakeClock({ now: 1_700_000_000_123 }))
  const ids = Array.from({ length: 1_000 }, nextTraceId)
  for (const id of ids) expect(id).toMatch(/^018bcfe5687b[\da-f]{20}$/)
  expect(new Set(ids.map((id) => id.slice(-14))).size).toBe(ids.length)
})
