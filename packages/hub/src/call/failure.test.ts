import { McpError, type McpErrorKind } from '@dataagent/mcp'
import { AppError } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import type { CallContext } from '../call-context.ts'
import { noTracer } from '../tracing/index.ts'
import { toEnding } from './failure.ts'
import { openRecord } from './open-record.ts'
import type { Admitted } from './underway.ts'

function anAdmitted(): Admitted {
  const context: CallContext = {
    principal: { tenant_id: 't', user_id: 'u', role: 'user' },
    source: 'agent',
    approver: { kind: 'nobody' },
  }
  const span = noTracer.start('execute_tool')
  const record = openRecord(context, { call_id: 'c1', tool_name: 'pay', span, now: 0 })
  return { context, record, span, call: { tool: 'pay' }, args: {}, begun: 0 } as unknown as Admitted
}

const fail = (kind: McpErrorKind, more: object = {}) =>
  new McpError({ kind, code: 'upstream_failed', message: 'it broke', ...more })
const sent = { mayHaveRun: true, retryable: true }
const unsent = { mayHaveRun: false, retryable: true }

describe('a failure of the server', () => {
  test.each([
    ['timeout', sent, 'timeout', 'degrade', 'timeout', 'retry'],
    ['timeout', unsent, 'timeout', 'retry', 'timeout', 'retry'],
    ['closed', sent, 'unknown_outcome', 'ask_user', 'failed', 'retry'],
    ['network', sent, 'unknown_outcome', 'ask_user', 'failed', 'retry'],
    ['session_lost', sent, 'unknown_outcome', 'ask_user', 'failed', 'retry'],
    ['closed', unsent, 'unavailable', 'retry', 'unavailable', 'retry'],
    ['network', unsent, 'unavailable', 'retry', 'unavailable', 'retry'],
    ['unavailable', unsent, 'unavailable', 'retry', 'unavailable', 'retry'],
    ['start', {}, 'unavailable', 'degrade', 'unavailable', 'degrade'],
    ['sign_in', {}, 'unavailable', 'ask_user', 'unavailable', 'ask_user'],
    ['http', { ...sent, statusCode: 401 }, 'unavailable', 'retry', 'unavailable', 'retry'],
    ['http', { ...sent, statusCode: 503 }, 'failed', 'degrade', 'failed', 'retry'],
    ['rpc', { mayHaveRun: true }, 'failed', 'degrade', 'failed', 'degrade'],
    ['cancelled', sent, 'cancelled', 'give_up', 'cancelled', 'give_up'],
  ] as const)('%s %j', (kind, more, status, advice, ifIdempotent, itsAdvice) => {
    const error = fail(kind, more)
    expect(toEnding(anAdmitted(), error, false)).toMatchObject({ status, error: { advice } })
    expect(toEnding(anAdmitted(), error, true)).toMatchObject({
      status: ifIdempotent,
      error: { advice: itsAdvice, tool_name: 'pay' },
    })
  })

  test('tells when to come back, and how often it was tried', () => {
    const admitted = anAdmitted()
    const data = { attempts: 3, retry_after_ms: 5_000 }
    const error = fail('unavailable', { ...unsent, data })
    expect(toEnding(admitted, error, true)).toMatchObject({ error: { retry_after_ms: 5_000 } })
    expect(admitted.record.attempts).toBe(3)
  })

  test('that may have run is told to a person, and not to be repeated', () => {
    const ending = toEnding(anAdmitted(), fail('closed', sent), false)
    expect(ending).toMatchObject({
      error: { code: 'unknown_outcome', message: expect.stringContaining('may have run') },
    })
  })
})

test('what a tool of our own throws is the failure of the call', () => {
  const error = new AppError('path_denied', 'the path is outside of the workspace')
  expect(toEnding(anAdmitted(), error, false)).toMatchObject({
    status: 'failed',
    error: { code: 'path_denied', message: 'the path is outside of the workspace' },
  })
})

test('what nobody expects is thrown on', () => {
  expect(() => toEnding(anAdmitted(), new TypeError('x is undefined'), false)).toThrow(TypeError)
})
