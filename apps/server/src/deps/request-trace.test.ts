import { expect, test } from 'vitest'
import { contextOf } from './request-trace.ts'

const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

test('a trace that its caller names is taken over, with its state', () => {
  const headers = { traceparent: `00-${trace}-${span}-01`, tracestate: 'a=1' }
  expect(contextOf(headers)).toEqual(headers)
})

test.each([
  ...['', '00', `00-${trace}-${span}`, `00-${trace.toUpperCase()}-${span}-01`],
  ...[`00-1-2-3`, `00-${'a'.repeat(8_000)}-${span}-01`, `00-${trace}-${span}-01\n`],
])('what is no traceparent is nowhere stored or passed on: %.40s', (traceparent) => {
  expect(contextOf({ traceparent })).toBeUndefined()
})
