import { ClientError } from '@dataagent/client'
import { expect, test } from 'vitest'
import { fromServer, problemWords } from './draft-problems.ts'

test('what the server expects of a field is said in the language of the page', () => {
  const errors = [{ path: 'config.timeout', expected: 'at most 86400', got: '90000' }]
  const refused = new ClientError('no', {
    ...{ status: 400, error_code: 'invalid_request', details: { errors } },
  })
  expect(fromServer(refused, problemWords.zh)).toEqual({ timeout: '应为：不大于 86400。' })
  expect(fromServer(refused, problemWords.en)).toEqual({ timeout: 'Expected at most 86400.' })
})
