import { ClientError } from '@dataagent/client'
import { errorTable } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { isStarting } from './is-starting.ts'

test('only a server that is away is waited for', () => {
  const codes = ['network_failed', 'http_502', 'http_403', 'invalid_answer', 'closed']
  const waitedFor = [...Object.keys(errorTable), ...codes].filter((error_code) =>
    isStarting(new ClientError('x', { status: 0, error_code })),
  )
  expect(waitedFor.sort()).toEqual([
    ...['http_502', 'network_failed', 'store_unavailable', 'unavailable'],
  ])
  expect(isStarting(new TypeError('x'))).toBe(false)
})
