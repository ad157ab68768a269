import { expect, test } from 'vitest'
import { people } from '../testing/test-platform.ts'
import { createTestsAtOnce } from './tests-at-once.ts'

const refusal = { code: 'rate_limited', data: { retryAfterMs: 1_000 } }

test('a person has few tests at once, a tenant some more, and others theirs', async () => {
  const inTurn = createTestsAtOnce()
  const gate = Promise.withResolvers<void>()
  const asUser = (user_id: string) => inTurn({ ...people.ada, user_id }, () => gate.promise)
  const running = ['ada', 'ada', 'ada', 'bob', 'bob', 'bob'].map(asUser)
  await expect(asUser('ada')).rejects.toMatchObject(refusal)
  running.push(...['eve', 'eve', 'eve', 'boss'].map(asUser))
  await expect(asUser('boss')).rejects.toMatchObject(refusal)
  running.push(inTurn(people.zoe, () => gate.promise))
  gate.resolve()
  await Promise.all(running)
  expect(await inTurn(people.ada, async () => 'tested')).toBe('tested')
})

test('a test that fails gives its place back', async () => {
  const inTurn = createTestsAtOnce()
  for (let at = 0; at < 5; at += 1)
    await expect(inTurn(people.ada, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
})
