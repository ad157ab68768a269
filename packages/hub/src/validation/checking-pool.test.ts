import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { systemClock } from '@dataagent/guard'
import { createFakeClock } from '@dataagent/testkit'
import { afterAll, expect, test } from 'vitest'
import { type CheckJob, createCheckingPool } from './checking-pool.ts'

const options = { clock: systemClock, budgetMs: 50, compileBudgetMs: 2_000 }
const pool = createCheckingPool(options)
afterAll(() => pool.close())

function job(key: string, schema: CheckJob['schema'], value: unknown): CheckJob {
  return { key, schema, dialect: '2020-12', given: { value } }
}

test('what a thread has forgotten is sent to it again', async () => {
  const check = (index: number) => pool.check(job(`k${index}`, { const: index }, index))
  for (let index = 0; index < 120; index++) {
    expect((await check(index)).validation).toEqual({ status: 'ok' })
  }
  expect((await check(0)).validation).toEqual({ status: 'ok' })
})

test('errors of a thread are as those here', async () => {
  const { validation } = await pool.check(job('e', { required: ['orderId'] }, {}))
  expect(validation).toEqual({
    status: 'invalid',
    errors: [{ path: 'orderId', expected: 'a value', got: 'nothing' }],
  })
})

test('a schema that cannot be compiled is told so for good, a value that cannot be checked is not', async () => {
  const bad = await pool.check(job('bad', { type: 'no such' }, 1))
  expect(bad).toMatchObject({ isFinal: true, validation: { status: 'failed' } })
  const endless = await pool.check(job('endless', { $ref: '#' }, 1))
  expect(endless).toMatchObject({ isFinal: false, validation: { status: 'failed' } })
})

test('a thread that dies fails its check alone', async () => {
  const schema = { anyOf: Array.from({ length: 40 }, () => ({ items: { type: 'string' } })) }
  const value = Array.from({ length: 300_000 }, () => [1, 2, 3])
  const results = await Promise.all([
    pool.check(job('large', { items: schema }, value)),
    pool.check(job('small', { type: 'string' }, 'a')),
  ])
  expect(results.map(({ validation }) => validation.status)).toEqual(['failed', 'ok'])
  expect((await pool.check(job('small', { type: 'string' }, 'a'))).validation.status).toBe('ok')
})

test('a thread without work for a minute is ended, and started again when there is some', async () => {
  const clock = createFakeClock()
  await using stack = new AsyncDisposableStack()
  const own = createCheckingPool({ ...options, clock })
  stack.defer(() => own.close())
  const statusOf = async () =>
    (await own.check(job('a', { type: 'string' }, 'a'))).validation.status
  expect(await statusOf()).toBe('ok')
  expect(await statusOf()).toBe('ok')
  expect(clock.pending()).toBe(1)
  clock.advance(60_000)
  expect(clock.pending()).toBe(0)
  expect(await statusOf()).toBe('ok')
})

test('after closing, everything fails at once', async () => {
  const own = createCheckingPool(options)
  const waiting = own.check(job('a', {}, 1))
  await own.close()
  expect((await waiting).validation.status).toBe('failed')
  expect((await own.check(job('a', {}, 1))).validation.status).toBe('failed')
})

test('threads do not hold the process', async () => {
  const url = new URL('./index.ts', import.meta.url).href
  const script = `
    import { createValidator } from '${url}'
    const validator = createValidator()
    console.log(JSON.stringify(await validator.validate('k', { pattern: '(?=a)' }, 'a')))`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=dataagent-source', '--input-type=module', '-e', script],
    { timeout: 20_000 },
  )
  expect(stdout.trim()).toBe('{"status":"ok"}')
})
