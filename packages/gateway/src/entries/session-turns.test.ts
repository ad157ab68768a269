import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createSessionTurns } from './session-turns.ts'

test('who took too long ends no turn but its own [E3.1]', async () => {
  const clock = createFakeClock()
  const kv = createMemoryKv({ clock })
  onTestFinished(() => kv[Symbol.asyncDispose]())
  const turns = createSessionTurns({ kv, clock })
  const begin = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const done = turns.ifFree('s', async () => {
      begun.resolve()
      await promise
    })
    await begun.promise
    return { done, end: resolve }
  }
  const slow = await begin()
  clock.advance(2_001)
  const next = await begin()
  slow.end()
  await slow.done
  expect(await turns.ifFree('s', async () => 'alone')).toBeUndefined()
  next.end()
  await next.done
  expect(await turns.ifFree('s', async () => 'alone')).toBe('alone')
})
