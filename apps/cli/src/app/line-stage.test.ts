import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { TerminalDecision } from '../hitl/index.ts'
import { createLineStage } from './line-stage.ts'
import type { Backstage } from './stage.ts'

/** A stage on pipes, and what was decided on it. */
function openLines() {
  const input = new PassThrough()
  const output = new PassThrough().setEncoding('utf8')
  let text = ''
  output.on('data', (chunk) => (text += chunk))
  const decided: TerminalDecision['kind'][] = []
  let knows = false
  const backstage = {
    lang: () => 'en',
    status: () => ({ isRunning: true }),
    acknowledgement: { isGiven: () => knows, give: () => (knows = true) },
    decide: (_id: string, { kind }: TerminalDecision) => void decided.push(kind),
    submit: () => {},
    stop: () => false,
    quit: () => {},
  } as unknown as Backstage
  const stage = createLineStage({ input, output }, backstage)
  stage.questions.add({
    approval_id: 'one',
    request: { name: 'drop', args: {}, description: 'Drops a table' } as never,
    expires_at: undefined as never,
  })
  return { stage, decided, text: () => text, say: (line: string) => input.write(`${line}\n`) }
}

test('a sentence that begins as an answer does is none', async () => {
  const { stage, decided, say, text } = openLines()
  using _ = stage
  say('a table of all sales, please')
  say('y not')
  await expect.poll(() => text().split('y allow once').length).toBe(4)
  expect(decided).toEqual([])
  const isAgreed = stage.confirm('Start it?')
  say('n')
  await expect.poll(() => decided).toEqual(['reject'])
  say('you may guess')
  expect(await isAgreed).toBe(false)
})

test('approving everything is acknowledged before it holds [D3.6]', async () => {
  const { stage, decided, say, text } = openLines()
  using _ = stage
  say('a')
  await expect.poll(text).toContain('Approve everything in this session without asking?')
  expect(decided).toEqual([])
  say('n')
  await expect.poll(() => text().split('y allow once').length).toBe(3)
  say('a')
  await expect.poll(() => text().split('Approve everything in').length).toBe(3)
  say('y')
  await expect.poll(() => decided).toEqual(['all'])
})
