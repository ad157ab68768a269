import { ClientError } from '@dataagent/client'
import { expect, test } from 'vitest'
import { faultWords } from './fault-words.ts'
import { toFault, toSourceFault, toStatementFault, toToolFault } from './to-fault.ts'

const faultOf = (error_code: string, message: string, details = {}) =>
  toFault(new ClientError(message, { status: 400, error_code, details }))

test('a code says what its words do not', () => {
  expect(faultOf('invalid_request', 'Something new')?.kind).toBe('statement')
  expect(faultOf('timeout', 'Something new')?.kind).toBe('timeout')
  expect(faultOf('cancelled', 'Something new')?.kind).toBe('cancelled')
})

test('an error of something else is left to the words of all pages', () => {
  expect(faultOf('forbidden', 'Your organisation may not use data.')).toBe(undefined)
  expect(faultOf('network_failed', 'no answer')).toBe(undefined)
  expect(faultOf('invalid_request', 'the body is not valid', { errors: [] })).toBe(undefined)
  expect(toFault(new Error('a bug'))).toBe(undefined)
})

test('a state or an entry of the log that says something new is told all the same', () => {
  expect(toSourceFault('Something new').kind).toBe('unreachable')
  expect(toSourceFault().kind).toBe('unreachable')
  expect(toSourceFault('10.1.2.3:5432 is a private address').kind).toBe('address')
  expect(toStatementFault('Something new').kind).toBe('statement')
})

test('each fault has words in Chinese, what happened and what to do', () => {
  const han = expect.stringMatching(/\p{Script=Han}/u)
  for (const told of Object.values(faultWords.zh.told)) expect(told).toEqual([han, han])
  expect(Object.keys(faultWords.zh.told)).toEqual(Object.keys(faultWords.en.told))
})

test('a call of an agent is told of where it has asked a source in vain', () => {
  const result = { code: 'not_found', message: 'There is no source "x".' }
  const call = { name: 'run_sql', server_id: undefined, state: 'error', result }
  expect(toToolFault(call)).toEqual({ kind: 'source', said: result.message })
  expect(toToolFault({ ...call, state: 'ok' })).toBe(undefined)
  expect(toToolFault({ ...call, server_id: 'another' })).toBe(undefined)
  expect(toToolFault({ ...call, name: 'read_file' })).toBe(undefined)
  expect(toToolFault({ ...call, result: 'There is no source "x".' })).toBe(undefined)
})
