import { expect, test } from 'vitest'
import { createAwayApp } from '../commands/test-app.ts'
import { messageMax } from '../message-max.ts'
import { createTypedLines } from './typed-lines.ts'

/** What becomes of lines that are typed. */
function openLines() {
  const { app } = createAwayApp()
  const told: string[] = []
  const sent: string[] = []
  const givenBack: string[] = []
  const typed = createTypedLines({
    app: () => ({ ...app, say() {}, tell: (_, text) => void told.push(text) }),
    session: { conversation: undefined, send: (text) => void sent.push(text), takeAll: () => '' },
    giveBack: (text) => void givenBack.push(text),
    stopCommand: () => false,
    onChange() {},
  })
  return { submit: typed.submit, told, sent, givenBack }
}

test.each(['/data/sales.csv 里有什么', '// code', '/usr/bin', '/*/ all', 'a /help'])(
  '%s is said to the agent',
  (text) => {
    const { submit, sent, told, givenBack } = openLines()
    submit(text)
    expect({ sent, told, givenBack }).toEqual({ sent: [text], told: [], givenBack: [] })
  },
)

test('a path behind a command is its own', () => {
  const { submit, sent, givenBack } = openLines()
  submit('/help a/b')
  expect([sent, givenBack]).toEqual([[], []])
})

test.each([
  ['/modle gpt', 'Did you mean /model?'],
  ['/data里有什么', 'There is no command'],
  ['/co', '/co may be'],
])('%s, which is no command, is told and there again', (text, answer) => {
  const { submit, sent, told, givenBack } = openLines()
  submit(text)
  expect([sent, givenBack]).toEqual([[], [text]])
  expect(told).toEqual([expect.stringContaining(answer)])
})

test('what is too long is told and there again', () => {
  const { submit, sent, told, givenBack } = openLines()
  const text = `/a/${'b'.repeat(messageMax)}`
  submit(text)
  expect([sent, givenBack]).toEqual([[], [text]])
  expect(told).toEqual([expect.stringContaining('too long')])
})
