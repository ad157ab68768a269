import { expect, test } from 'vitest'
import { toErrorEvent, toErrorResponse, toRpcError } from './error-translators.ts'
import { AppError, type ErrorCode, errorTable } from './errors.ts'
import { parseEvent } from './events/index.ts'
import { errorResponseSchema } from './rest/index.ts'

const denied = new AppError('tool_not_allowed', 'This agent may not use that tool.', {
  data: { agent_id: 'a1' },
})
const foreign = new TypeError('connect ECONNREFUSED 10.1.2.3 password=hunter2')

test('an AppError is told with its code, message and data', () => {
  expect(toErrorResponse(denied, 'req-1')).toEqual({
    status: 403,
    body: {
      error_code: 'tool_not_allowed',
      message: 'This agent may not use that tool.',
      details: { agent_id: 'a1' },
    },
  })
  expect(toRpcError(denied, 'req-1')).toEqual({
    code: -32602,
    message: 'This agent may not use that tool.',
    data: { agent_id: 'a1', error_code: 'tool_not_allowed' },
  })
})

test('every code of the table gives its own status and a body that fits', () => {
  for (const code of Object.keys(errorTable) as ErrorCode[]) {
    const { status, body } = toErrorResponse(new AppError(code, 'why'), 'req-1')
    expect(status).toBe(errorTable[code].http)
    expect(errorResponseSchema.parse(body)).toEqual(body)
    expect(toRpcError(new AppError(code, 'why'), 'r').code).toBe(errorTable[code].rpc)
  }
})

test.each([foreign, 'a string', undefined, null, { name: 'AppError', code: 'conflict' }])(
  'what is not an AppError is told by its reference alone: %s',
  (error) => {
    const answers = [
      toErrorResponse(error, 'req-1').body,
      toRpcError(error, 'req-1'),
      toErrorEvent(error, { timestamp: 1, reference: 'req-1' }),
    ]
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toMatch(/internal.*req-1|req-1.*internal/)
      expect(JSON.stringify(answer)).not.toMatch(/hunter2|10\.1\.2\.3|TypeError/)
    }
    expect(toErrorResponse(error, 'req-1').status).toBe(500)
  },
)

test('an explicit internal error tells no more than a foreign one', () => {
  const error = new AppError('internal', 'row 7 of table users', { data: { row: 7 } })
  expect(toErrorResponse(error, 'r')).toEqual(toErrorResponse(foreign, 'r'))
})

test('an error event is recoverable where a retry may help', () => {
  const at = { timestamp: 5, reference: 'run-1' }
  const event = toErrorEvent(new AppError('timeout', 'No answer in 5 s.'), at)
  expect(event).toEqual({
    event_type: 'error',
    timestamp: 5,
    error: 'No answer in 5 s.',
    recoverable: true,
    error_code: 'timeout',
    reference: 'run-1',
  })
  expect(parseEvent(event)).toEqual(event)
  expect(toErrorEvent(denied, at).recoverable).toBe(false)
})

test('data that is not JSON is left out and the answer still given', () => {
  const cycle: Record<string, unknown> = {}
  cycle.self = cycle
  for (const data of [cycle, { n: 1n }, { at: new Date(0) }])
    expect(toErrorResponse(new AppError('conflict', 'why', { data }), 'r').body).toEqual({
      error_code: 'conflict',
      message: 'why',
    })
})

test('what a store says of where it is goes to nobody', () => {
  const data = { store: 'key-value' }
  for (const code of ['store_unavailable', 'storage_full'] as const) {
    const error = new AppError(code, 'Redis at cache.internal:6379: gone', { data })
    const event = toErrorEvent(error, { timestamp: 1, reference: 'r' })
    for (const answer of [toErrorResponse(error, 'r').body, toRpcError(error, 'r'), event]) {
      expect(JSON.stringify(answer)).toContain('The key-value store is')
      expect(JSON.stringify(answer)).not.toMatch(/cache\.internal|6379|Redis/)
    }
  }
  const taken = new AppError('conflict', 'the row exists already', {
    data: { store: 'sqlite', fault: 'duplicate' },
  })
  expect(toErrorResponse(taken, 'r').body).not.toHaveProperty('details')
})
