import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { TerminalDecision } from '../hitl/index.ts'
import { createLineStage } from './line-stage.ts'
import type { Backstage } from './stage.ts'

/** A stage on pipes, and what was decided on it. */
function openLines({ isTTY = false, isAsked = true } = {}) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough().setEncoding('utf8')
  let text = ''
  output.on('data', (chunk) => (text += chunk))
  const decided: string[] = []
  const submitted: string[] = []
  const now = { isBusy: false, hasQuit: false, isRunning: true }
  let knows = false
  const backstage = {
    lang: () => 'en',
    status: () => ({ isRunning: now.isRunning }),
    acknowledgement: { isGiven: () => knows, give: () => (knows = true) },
    decide: (id: string, { kind }: TerminalDecision, others: string[]) =>
      void decided.push([id, kind, ...others].join(' ')),
    submit: (line: string) => void submitted.push(line),
    transcript: () => ({ takeLines: () => [] }),
    isBusy: () => now.isBusy,
    stop: () => now.isRunning,
    quit: () => {
      now.hasQuit = true
    },
  } as unknown as Backstage
  const stage = createLineStage({ input, output }, backstage)
  const ask = (approval_id: string) =>
    stage.questions.add({
      approval_id,
      request: { name: 'drop', args: {}, description: 'Drops a table' } as never,
      expires_at: undefined as never,
    })
  if (isAsked) ask('one')
  return {
    ...{ stage, decided, submitted, now, ask },
    text: () => text,
    say: (line: string) => input.write(`${line}\n`),
    async end() {
      const ended = once(input, 'end')
      input.end()
      await ended
    },
  }
}

test('a sentence that begins as an answer does is none: it is said to the agent', async () => {
  const { stage, decided, submitted, say, text } = openLines()
  using _ = stage
  say('a table of all sales, please')
  say('y not')
  await expect.poll(() => text().split('y allow once').length).toBe(4)
  expect(decided).toEqual([])
  expect(submitted).toEqual(['a table of all sales, please', 'y not'])
  const isAgreed = stage.confirm('Start it?')
  say('n')
  await expect.poll(() => decided).toEqual(['one reject'])
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
  await expect.poll(() => decided).toEqual(['one all'])
})

test('approving everything is meant for the questions behind it too', async () => {
  const { stage, decided, submitted, say, ask } = openLines()
  using _ = stage
  stage.questions.close('one', 'allowed')
  for (const id of ['two', 'three']) ask(id)
  say('a')
  say('y')
  say('what next?')
  await expect.poll(() => submitted).toEqual(['what next?'])
  expect(decided).toEqual(['two all three'])
})

test('at the end of a pipe it leaves when all that was said is done', async () => {
  const { stage, submitted, now, say, end } = openLines({ isAsked: false })
  using _ = stage
  now.isBusy = true
  say('hello')
  await end()
  expect(submitted).toEqual(['hello'])
  stage.update()
  expect(now.hasQuit).toBe(false)
  now.isBusy = false
  stage.update()
  expect(now.hasQuit).toBe(true)
})

test('a person who ends the input leaves at once', async () => {
  const { stage, now, end } = openLines({ isTTY: true })
  using _ = stage
  now.isBusy = true
  await end()
  expect(now.hasQuit).toBe(true)
})

test('what is asked when the pipe has ended is rejected, and agreed to by nobody', async () => {
  const { stage, decided, now, text, end, ask } = openLines()
  using _ = stage
  now.isBusy = true
  const isAgreed = stage.confirm('Start it?')
  await end()
  expect(decided).toEqual(['one reject'])
  expect(await isAgreed).toBe(false)
  for (const _ of ['at first', 'as the platform has not taken the no']) ask('two')
  expect(decided).toEqual(['one reject', 'two reject'])
  expect(await stage.choose('Which?', [{ value: 1, label: 'one' }])).toBeUndefined()
  await expect.poll(text).toContain('Nobody is there to be asked any more')
})

test('Ctrl-C stops the turn; once more, at rest and after a pipe it means the program', async () => {
  const { stage, now, end } = openLines({ isAsked: false })
  using _ = stage
  expect([stage.interrupt(), stage.interrupt()]).toEqual([true, false])
  now.isRunning = false
  stage.update()
  expect(stage.interrupt()).toBe(false)
  now.isRunning = true
  expect(stage.interrupt()).toBe(true)
  now.isRunning = false
  stage.update()
  now.isRunning = true
  await end()
  expect(stage.interrupt()).toBe(false)
})
