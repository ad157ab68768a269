import { AppError, type ErrorCode } from '@dataagent/schema'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTestLog } from '../testing/test-app.ts'
import { watchReadiness } from './readiness.ts'

const away = () => new AppError('store_unavailable', 'cannot be reached (ECONNREFUSED)')

function refusal(code: ErrorCode, data: Record<string, unknown>, reason: string) {
  return new AppError(code, `refused: ${reason}`, { data, cause: new Error(`because ${reason}`) })
}

/** Watches a database that gives each of these errors three times, then works. */
async function watch(errors: AppError[]) {
  const clock = createFakeClock()
  const { log, records } = createTestLog()
  const given = errors.flatMap((error) => [error, error, error])
  const open = async () => {
    const error = given.shift()
    if (error) throw error
  }
  const dependencies = [{ name: 'database', open, check: open }]
  const readiness = watchReadiness({ dependencies, clock, log, onFatal: () => {} })
  readiness.start()
  await waitFor(() => {
    clock.advance(1_000)
    return readiness.isReady()
  })
  readiness.stop()
  return records.filter(({ level }) => level !== 'debug')
}

test('a database that is away and one that is back are each told once [E7.1]', async () => {
  const records = await watch([away()])
  expect(records.map(({ message }) => message)).toEqual([
    'the database is away; waiting for it',
    'the database is back',
  ])
  expect(records[0]).not.toHaveProperty('error')
})

test('one that refuses a statement is told of once with its cause, also where it was away before [E7.1]', async () => {
  const error = refusal('internal', { fault: 'other' }, 'of a table that is not there')
  const [first, second, ...rest] = await watch([away(), error])
  expect(first).toMatchObject({ message: 'the database is away; waiting for it' })
  expect(second).toMatchObject({
    level: 'error',
    message: 'the database answers, but refuses its work; trying again',
    error: { cause: { message: 'because of a table that is not there' } },
  })
  expect(rest).toMatchObject([{ message: 'the database is back' }])
})

test('one that denies a right is told of with the right, also where it was away before [E7.1]', async () => {
  const error = refusal('store_unavailable', { fault: 'denied' }, 'GRANT CREATE')
  const [, second] = await watch([away(), error])
  expect(second).toMatchObject({ level: 'error', reason: 'refused: GRANT CREATE' })
})
