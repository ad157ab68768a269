import { expect, test } from 'vitest'
import { createStoppable } from './stoppable.ts'

/** Work that goes on until it is stopped, and what has ended. */
function open() {
  const leaving = new AbortController()
  const ended: string[] = []
  const stoppable = createStoppable({ signal: leaving.signal, now: () => 7, onChange() {} })
  const begin = (name: string) =>
    stoppable.run(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      ended.push(name)
    })
  return { leaving, ended, stoppable, begin }
}

test('what was begun last is stopped first, and nothing twice', async () => {
  const { stoppable, begin, ended } = open()
  const works = [begin('one'), begin('two')]
  expect(stoppable.since).toBe(7)
  expect([stoppable.stop(), stoppable.stop(), stoppable.stop()]).toEqual([true, true, false])
  await Promise.all(works)
  expect(ended).toEqual(['two', 'one'])
  expect(stoppable.since).toBeUndefined()
})

test('what is under way ends with the program, and what fails is over', async () => {
  const { stoppable, begin, leaving, ended } = open()
  const work = begin('one')
  leaving.abort()
  await work
  expect(ended).toEqual(['one'])
  await expect(stoppable.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(stoppable.stop()).toBe(false)
})
