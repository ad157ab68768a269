import { isDeepStrictEqual } from 'node:util'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyEventOf, anyJsonObject, generatedTypes, nest } from '../test-arbitraries.ts'
import {
  type AnyEvent,
  eventTypes,
  isKnownEvent,
  parseEvent,
  parseEventText,
  toDict,
} from './index.ts'

const numRuns = longCount(200, 20_000)
const throughJson = (event: AnyEvent) => parseEventText(JSON.stringify(toDict(event)))
const toolResult = (result: unknown) => ({
  event_type: 'tool_result',
  timestamp: 1,
  tool_call_id: 'call-1',
  result,
  status: 'success',
})

test('the kinds are the eight of ExecutionEvent and those a page needs [D2.1]', () => {
  const eight = 'text tool_call tool_result hitl_request todo_update file_operation error done'
  const more =
    'user_message tool_started approval_decided session_state usage summary reasoning ' +
    'tools_matched result_block citations'
  expect([...eventTypes]).toEqual([...eight.split(' '), ...more.split(' ')])
  expect(generatedTypes).toEqual([...eventTypes])
})

describe('an event comes back from its JSON as it was [D2.5] [D14.1] [D14.2] [D14.5]', () => {
  test.each(generatedTypes)('%s', (event_type) => {
    const rebuilds = fc.property(anyEventOf(event_type), (fields) => {
      const event = parseEvent(fields)
      return isDeepStrictEqual(event, fields) && isDeepStrictEqual(throughJson(event), event)
    })
    fc.assert(rebuilds, { numRuns })
  })

  test('a kind that a newer version added', () => {
    const rebuilds = fc.property(fc.string({ minLength: 1 }), anyJsonObject, (name, fields) => {
      const { __proto__: _, ...own } = fields
      const event = parseEvent({ ...own, event_type: `new_${name}`, timestamp: 7 })
      return !isKnownEvent(event) && isDeepStrictEqual(throughJson(event), event)
    })
    fc.assert(rebuilds, { numRuns })
  })
})

test('fields that a newer version added are kept, nested ones too', () => {
  const todos = [{ content: 'count', status: 'pending', owner: 'ana' }]
  const event = { event_type: 'todo_update', timestamp: 1, todos, plan: { id: 3 } }
  expect(throughJson(parseEvent(event))).toEqual(event)
})

test('every event has event_type and timestamp in its JSON [D2.6] [D14.3]', () => {
  const dict = toDict({ event_type: 'done', timestamp: 1_800_000_000_000, cancelled: false })
  expect(dict).toEqual({ event_type: 'done', timestamp: 1_800_000_000_000, cancelled: false })
  for (const event of [
    { timestamp: 1, cancelled: false },
    { event_type: 'done', cancelled: true },
  ])
    expect(() => parseEvent(event)).toThrow(/(event_type|timestamp): expected \w+, got nothing/)
})

const fieldsOf = {
  text: { content: 'Hello', is_final: true },
  tool_call: { tool_name: 't', tool_args: {}, tool_call_id: 'c' },
  tool_result: { tool_call_id: 'c', result: 1, status: 'success' },
  hitl_request: {
    approval_id: 'a',
    action_request: { name: 'n', args: {}, description: 'd' },
  },
  todo_update: { todos: [{ content: 'count', status: 'pending' }] },
  file_operation: { operation: 'edit', path: 'a', diff: '', additions: 1, deletions: 0 },
  error: { error: 'It broke.', recoverable: true },
  done: { cancelled: false },
}

describe('each kind has its fields, and is refused without any one of them [D2.1] [D2.2] [D2.3] [D2.4] [D2.6]', () => {
  const cases = Object.entries(fieldsOf).flatMap(([event_type, fields]) => {
    const event = { event_type, timestamp: 1, ...fields }
    const missing = ['event_type', 'timestamp', ...Object.keys(fields)]
    return missing.map((field) => ({ event_type, field, event }))
  })
  test.each(cases)('$event_type without $field', ({ field, event }) => {
    expect(toDict(parseEvent(event))).toEqual(event)
    const { [field]: _, ...rest } = event as Record<string, unknown>
    const errors = [{ path: field, expected: expect.any(String), got: 'nothing' }]
    expect(refusalOf(rest)).toEqual({ code: 'invalid_request', data: { errors } })
  })

  test.each(['name', 'args', 'description'])('hitl_request without action_request.%s', (field) => {
    const { action_request, ...rest } = fieldsOf.hitl_request
    const { [field]: _, ...less } = action_request as Record<string, unknown>
    const event = { event_type: 'hitl_request', timestamp: 1, ...rest, action_request: less }
    expect(refusalOf(event).data?.errors).toMatchObject([{ path: `action_request.${field}` }])
  })
})

describe('an event of the wrong shape is refused by the name of the field', () => {
  const call = { event_type: 'tool_call', timestamp: 1, tool_name: 't', tool_call_id: 'c' }
  test.each([
    [{ ...call, tool_args: [1] }, 'tool_args', 'object', 'array'],
    [call, 'tool_args', 'object', 'nothing'],
    [{ ...call, tool_args: {}, timestamp: 1.5 }, 'timestamp', 'integer', 'number'],
    [{ ...call, tool_args: {}, timestamp: '2027-01-15' }, 'timestamp', 'number', 'string'],
    [{ ...toolResult(1), status: 'ok' }, 'status', '"success" | "error"', '"ok"'],
    [{ event_type: 'x', timestamp: null }, 'timestamp', 'number', 'null'],
    [{ event_type: 3, timestamp: 1 }, 'event_type', 'string', 'number'],
    [[], '', 'object', 'array'],
    [null, '', 'object', 'null'],
  ])('%j', (value, path, expected, got) => {
    expect(refusalOf(value)).toEqual({
      code: 'invalid_request',
      data: { errors: [{ path, expected, got }] },
    })
  })
})

describe('a result holds what JSON holds', () => {
  test('up to 64 levels, and one more is refused, however many', () => {
    expect(throughJson(parseEvent(toolResult(nest(1, 64))))).toEqual(toolResult(nest(1, 64)))
    for (const levels of [65, 1_000, 1_000_000]) {
      const { code, data } = refusalOf(toolResult(nest(1, levels)))
      expect(code).toBe('invalid_request')
      expect(data?.errors).toMatchObject([{ expected: 'at most 64 levels of nesting' }])
    }
  })

  test('at every place of an event, whatever the keys', () => {
    const deep = { 'a"b': nest(1, 63, 'a"b') }
    const action_request = { name: 'n', args: deep, description: 'd' }
    const events = [
      { event_type: 'hitl_request', timestamp: 1, approval_id: 'a', action_request },
      {
        event_type: 'todo_update',
        timestamp: 1,
        todos: [{ content: 'c', status: 'pending', more: deep }],
      },
    ]
    for (const event of events) expect(throughJson(parseEvent(event))).toEqual(event)
  })

  test('the same limit holds for a field that this version does not know', () => {
    const event = { event_type: 'done', timestamp: 1, cancelled: true }
    expect(refusalOf({ ...event, more: nest(1, 100_000) }).code).toBe('invalid_request')
    expect(refusalOf({ ...event, event_type: 'new', more: nest(1, 65) }).code).toBe(
      'invalid_request',
    )
  })

  test('a key __proto__ stays an own key and changes no prototype', () => {
    const result = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}')
    const event = throughJson(parseEvent(toolResult(result)))
    expect(JSON.stringify(event)).toContain('"__proto__":{"polluted":true}')
    expect(Object.getPrototypeOf((event as unknown as { result: object }).result)).toBe(
      Object.prototype,
    )
    expect({}).not.toHaveProperty('polluted')
  })

  test('-0 is 0, as JSON has it', () => {
    const event = parseEvent(toolResult({ rows: [-0, { a: -0 }] }))
    expect(event).toStrictEqual(toolResult({ rows: [0, { a: 0 }] }))
    const operation = { operation: 'edit', path: 'a', diff: '', additions: -0, deletions: 0 }
    expect(parseEvent({ event_type: 'file_operation', timestamp: -0, ...operation })).toStrictEqual(
      { event_type: 'file_operation', timestamp: 0, ...operation, additions: 0 },
    )
  })

  const cycle: unknown[] = []
  cycle.push(cycle, cycle)
  test.each([
    ['undefined', undefined, 'nothing'],
    ['undefined inside', { a: undefined }, 'nothing'],
    ['a hole', new Array(2), 'nothing'],
    ['NaN', Number.NaN, 'NaN'],
    ['Infinity', [Number.POSITIVE_INFINITY], 'Infinity'],
    ['a bigint', 1n, 'bigint'],
    ['a Date', new Date(0), 'class instance'],
    ['a Map', { a: new Map() }, 'class instance'],
    ['a function', { toJSON: () => 1 }, 'function'],
    ['a cycle', cycle, 'more'],
  ])('%s is refused', (_name, value, got) => {
    expect(refusalOf(toolResult(value)).data?.errors).toMatchObject([{ got }])
  })
})

function refusalOf(value: unknown): { code: unknown; data: Record<string, unknown> | undefined } {
  try {
    parseEvent(value)
  } catch (error) {
    const { code, data } = error as { code: unknown; data: Record<string, unknown> }
    return { code, data }
  }
  throw new Error('accepted')
}
