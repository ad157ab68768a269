import { createFakeClock } from '@dataagent/testkit'
import { visibleWidth } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { themes } from '../input/test-screen.ts'
import { createAutoQuestion, switchMode } from './auto-approve.ts'

function machine(isGiven: boolean, answer: boolean) {
  const seen: string[] = []
  return {
    seen,
    acknowledgement: { isGiven: () => isGiven, give: () => void seen.push('given') },
    async ask() {
      seen.push('asked')
      return answer
    },
  }
}

test('auto-approval is asked about once on a machine, asking again never is [D3.6]', async () => {
  const first = machine(false, true)
  expect(await switchMode({ from: 'ask', ...first })).toBe('auto')
  expect(first.seen).toEqual(['asked', 'given'])
  const later = machine(true, false)
  expect(await switchMode({ from: 'ask', ...later })).toBe('auto')
  expect(await switchMode({ from: 'auto', ...later })).toBe('ask')
  expect(await switchMode({ from: 'auto', to: 'auto', ...later })).toBe('auto')
  expect(later.seen).toEqual([])
})

test('where it is not wanted, all stays as it was', async () => {
  const { seen, ...rest } = machine(false, false)
  expect(await switchMode({ from: 'ask', to: 'auto', ...rest })).toBe('ask')
  expect(seen).toEqual(['asked'])
})

test.each([
  ['y', true],
  ['1', true],
  ['n', false],
  ['2', false],
  ['\r', false],
  ['\u001b', false],
  ['\u0003', false],
])('the question is answered by %j with %s, once, after a moment', (key, isYes) => {
  const clock = createFakeClock()
  const answers: boolean[] = []
  const question = createAutoQuestion({
    theme: themes.plain,
    lang: 'en',
    clock,
    onAnswer: (answer) => answers.push(answer),
  })
  question.handleInput(key)
  expect(answers).toEqual([])
  clock.advance(1000)
  question.handleInput(key)
  question.handleInput(key)
  expect(answers).toEqual([isYes])
})

test.each(['en', 'zh'] as const)('the question in %s fits narrow terminals', (lang) => {
  const clock = createFakeClock()
  const question = createAutoQuestion({ theme: themes.colored, lang, clock, onAnswer() {} })
  for (const line of question.render(20)) expect(visibleWidth(line)).toBeLessThanOrEqual(20)
})
