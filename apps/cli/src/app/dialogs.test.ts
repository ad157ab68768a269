import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createTheme } from '../ui/index.ts'
import { createConfirmation } from './dialogs.ts'

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
