import { isAppError } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { waitFor } from './wait-for.ts'

test('gives what the condition found once it is truthy', async () => {
  let looks = 0
  expect(await waitFor(() => (++looks === 3 ? 'found' : undefined))).toBe('found')
  expect(looks).toBe(3)
})

test('takes a throwing or rejecting condition as not yet', async () => {
  let looks = 0
  const found = await waitFor(async () => {
    if (++looks < 3) throw new Error('not there')
    return looks
  })
  expect(found).toBe(3)
})

test('ends with a timeout that names the condition and keeps the last error', async () => {
  const failing = waitFor(
    () => {
      throw new Error('still away')
    },
    { timeoutMs: 30, what: 'the port to open' },
  )
  const error = await failing.catch((e: unknown) => e)
  expect(isAppError(error, 'timeout')).toBe(true)
  expect(error).toMatchObject({ message: 'Not so after 30 ms: the port to open' })
  expect((error as Error).cause).toMatchObject({ message: 'still away' })
})
