import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { timeQuestions } from './time-questions.ts'

test('time in which several questions are open counts once, and that in between not at all', async () => {
  const clock = createFakeClock()
  const answers = [1, 2, 3].map(() => Promise.withResolvers<{ action: 'accept' }>())
  const waiting = [...answers]
  const { questions, tookMs } = timeQuestions({ elicit: () => waiting.shift()!.promise }, clock)
  const ask = () => questions.elicit?.({} as never, { signal: new AbortController().signal })
  const asked = [ask(), ask()]
  clock.advance(100)
  answers[0]?.resolve({ action: 'accept' })
  await asked[0]
  clock.advance(50)
  expect(tookMs()).toBe(150)
  answers[1]?.resolve({ action: 'accept' })
  await asked[1]
  clock.advance(1_000)
  expect(tookMs()).toBe(150)
  const refused = ask()
  clock.advance(7)
  answers[2]?.reject(new Error('no'))
  await expect(refused).rejects.toThrow('no')
  expect(tookMs()).toBe(157)
})
