import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('work runs one after the other, also after one that fails', async () => {
  const inTurn = createTurns()
  const done: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn(async () => {
    await gate.promise
    done.push('first')
    throw new Error('no')
  })
  const second = inTurn(async () => done.push('second'))
  expect(done).toEqual([])
  gate.resolve()
  await expect(first).rejects.toThrow('no')
  await second
  expect(done).toEqual(['first', 'second'])
})
