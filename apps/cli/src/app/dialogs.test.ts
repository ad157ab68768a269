import { createFakeClock } from '@dataagent/testkit'
import { visibleWidth } from '@earendil-works/pi-tui'
import { expect, test } from 'vitest'
import { themes } from '../input/test-screen.ts'
import { createTheme } from '../ui/index.ts'
import { createChoice, createConfirmation, createTextQuestion } from './dialogs.ts'

test('what is being typed when a question appears does not answer it', async () => {
  const clock = createFakeClock()
  const theme = createTheme({ name: 'mono', env: {}, isTty: true })
  const { component, answer } = createConfirmation('Start it?', { theme, lang: 'en', clock })
  let said: boolean | undefined
  void answer.then((given) => {
    said = given
  })
  for (const letter of 'may yesterday') {
    clock.advance(100)
    component.handleInput?.(letter)
  }
  await Promise.resolve()
  expect(said).toBeUndefined()
  clock.advance(400)
  component.handleInput?.('n')
  expect(await answer).toBe(false)
})

test('what is longer than the screen is wide goes on in the next line', () => {
  const question = 'runs: /opt/tools/a-server --of=a-project\n同意启动它（在其改变之前一直有效）？'
  const look = { theme: themes.colored, lang: 'en', clock: createFakeClock() } as const
  const dialogs = [
    createConfirmation(question, look),
    createTextQuestion(question, {}, look),
    createChoice(question, [{ value: 1, label: 'a label that is long', about: 'and more' }], look),
  ]
  for (const { component } of dialogs) {
    const lines = component.render(20)
    expect(lines.filter((line) => visibleWidth(line) > 20)).toEqual([])
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours
    const text = lines.join('').replaceAll(/\x1b\[[\d;]*m|\s/g, '')
    expect(text).toContain(question.replaceAll(/\s/g, ''))
  }
})
