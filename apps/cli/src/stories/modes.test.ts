import { longCount, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { runProgram } from '../testing/test-program.ts'
import { key, openStory } from './test-story.ts'

let platform: TestPlatform

beforeAll(async () => {
  platform = await startTestPlatform({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      const lines = Number(/lines (\d+)/.exec(asked)?.[1] ?? 0)
      if (asked.includes('slow')) return { text: 'word '.repeat(5_000), itl: 20 }
      if (lines === 0) return { text: `**You** said: ${asked}` }
      const rows = Array.from({ length: lines }, (_, at) => `row ${at}`)
      return { text: ['```', ...rows, '```', 'THE END'].join('\n') }
    },
  })
})
afterAll(() => platform[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const colours = /\x1b\[[0-9;]*m/g

test('with NO_COLOR nothing is coloured', async () => {
  await using story = await openStory({ platform, env: { NO_COLOR: '1' } })
  await story.see('Ask anything')
  story.say('hello')
  await story.see('You said: hello')
  const painted = (story.bytes().match(colours) ?? []).filter((code) => code !== '\x1b[0m')
  expect(painted).toEqual([])
})

test('a dumb terminal gets lines, without an escape sequence', async () => {
  await using story = await openStory({ platform, env: { TERM: 'dumb' } })
  await story.see('> ')
  story.say('hello there')
  await story.see('You said: hello there')
  story.say('/cost')
  await story.see(/tokens/i)
  story.say('/quit')
  expect(await story.ended).toBe(0)
  expect(story.bytes()).not.toContain('\x1b')
})

test('on a dumb terminal Ctrl-C stops the turn; at rest, or once more, it leaves', async () => {
  await using story = await openStory({ platform, env: { TERM: 'dumb' } })
  await story.see('> ')
  story.say('slow answer')
  await waitFor(() => platform.model.active() > 0)
  story.write(key.ctrl('c'))
  await story.see('Stopped')
  story.say('still there')
  // The prompt comes back once the turn is over.
  await story.see(/You said: still there[\s\S]*\n>/)
  story.write(key.ctrl('c'))
  expect(await story.ended).toBe(130)
})

test('in a pipe a message is answered and nothing else is written', async () => {
  const env = { DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey }
  const ended = await runProgram(['run', 'hello'], { env })
  expect(ended).toEqual({ code: 0, stdout: '**You** said: hello\n', stderr: '' })
})

test('in a pipe the interactive program too does all that is said, then leaves', async () => {
  const env = { DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey }
  const ended = await runProgram([], { env, input: 'first\n/cost\n/halp me\nsecond' })
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/You said: first[\s\S]*You said: second/)
  expect(ended.stdout).toMatch(/tokens/i)
  expect(ended.stdout.match(/\/halp me/g)).toHaveLength(1)
})

test('where only the output is a terminal, lines are read, and nothing is drawn', async () => {
  await using story = await openStory({ platform, input: 'hello there\n' })
  expect(await story.ended).toBe(0)
  expect(story.all().join('\n')).toContain('You said: hello there')
  expect(story.bytes()).not.toContain('\x1b[?2004h')
})

test('it speaks Chinese where the machine does, and can be told to', async () => {
  await using story = await openStory({ platform, env: { LANG: 'zh_CN.UTF-8' } })
  await story.see(/\/help 查看命令|输入/)
  story.say('/lang en')
  await story.see('Ask anything')
})

const count = longCount(5_000, 100_000)

test(`${count} lines come whole, in order, and the prompt stays usable`, async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say(`lines ${count}`)
  await story.see('THE END', { timeoutMs: 100_000 })
  const rows = story.all().filter((line) => /^\s*row \d+$/.test(line))
  expect(rows.map((line) => Number(line.trim().slice(4)))).toEqual([...Array(count).keys()])
  // Nothing that stands in the scrollback was written a second time.
  expect(story.bytes().match(/row 100\b/g)).toHaveLength(1)
  expect(story.bytes()).not.toContain('\x1b[2J')
  story.write('still here')
  await story.see('❯ still here')
  story.write(key.ctrl('c'))
}, 120_000)
