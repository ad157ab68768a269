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
  const said: string[] = []
  const typed = createTypedLines({
    app: () => ({
      ...app,
      say: (text) => void said.push(text),
      tell: (_, text) => void told.push(text),
    }),
    session: { conversation: undefined, send: (text) => void sent.push(text), takeAll: () => '' },
    giveBack: (text) => void givenBack.push(text),
    stopCommand: () => false,
    onChange() {},
  })
  return { submit: typed.submit, told, sent, givenBack, said }
}

test.each([
  ...[
    '/data/sales.csv 里有什么',
    '/usr/bin',
    '/.bashrc',
    '/tmp/',
    '/tmp, is it full?',
    '/ is full',
  ],
  ...['// code', '/*/ all', '/* a */ x', '/** doc */ why?', '/*'],
  'a /help',
])('%s is said to the agent', (text) => {
  const { submit, sent, told, givenBack } = openLines()
  submit(text)
  expect({ sent, told, givenBack }).toEqual({ sent: [text], told: [], givenBack: [] })
})

test('a path behind a command is its own', () => {
  const { submit, sent, givenBack } = openLines()
  submit('/help a/b')
  expect([sent, givenBack]).toEqual([[], []])
})

test.each([
  ['/modle gpt', 'Did you mean /model?'],
  ['/data里有什么', 'There is no command'],
  ['/tmp is full', /There is no command \/tmp\..*To send it to the agent/],
  ['/', 'There is no command'],
  ['/co', '/co may be'],
])('%s, which is no command, is told and there again', (text, answer) => {
  const { submit, sent, told, givenBack } = openLines()
  submit(text)
  expect([sent, givenBack]).toEqual([[], [text]])
  expect(told).toEqual([expect.stringMatching(answer)])
})

test('a command stands in what was said; what is given back is shown there alone', () => {
  const { submit, said, givenBack } = openLines()
  for (const line of ['/quit', '/halp me']) submit(line)
  expect([said, givenBack]).toEqual([[expect.stringContaining('/quit')], ['/halp me']])
})

test('what is too long is told and there again', () => {
  const { submit, sent, told, givenBack } = openLines()
  const text = `/a/${'b'.repeat(messageMax)}`
  submit(text)
  expect([sent, givenBack]).toEqual([[], [text]])
  expect(told).toEqual([expect.stringContaining('too long')])
})
