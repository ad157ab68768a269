import { readFile } from 'node:fs/promises'
import { type Reply, toolRounds } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { key, openStory } from './test-story.ts'

const table = [
  'Sales by **region**:',
  '',
  '| 区域 | 销售额 |',
  '| --- | ---: |',
  '| 华东 | 25,310 |',
  '| 西北地区 | 980 |',
  '',
  'East leads.',
].join('\n')
const attack = 'before \x1b[2J\x1b]0;owned\x07\x1b[31mred\x9b31m after'

let platform: TestPlatform
/** What the model refuses with, as long as it does. */
let fault: number | undefined

beforeAll(async () => {
  platform = await startTestPlatform({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      return replyTo(asked, toolRounds(request))
    },
  })
})
afterAll(() => platform[Symbol.asyncDispose]())

function replyTo(asked: string, rounds: number): Reply {
  if (asked.includes('fragile') && fault !== undefined) return { error: fault }
  if (asked.includes('slow')) return { text: 'word '.repeat(5_000), itl: 20 }
  if (asked.includes('table')) return { text: table }
  if (asked.includes('attack')) return { text: attack }
  if (asked.includes('write') && rounds === 0) {
    const args = { path: 'notes.txt', content: 'one\ntwo\n' }
    return { toolCalls: [{ name: 'write_file', arguments: args }] }
  }
  return { text: `You said: ${asked}` }
}

test('a message is answered, with its tool call, its file and its Markdown [D9.1]', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('please write notes')
  await story.see(/write_file.*notes\.txt/)
  await story.see('+2')
  await story.see('You said: please write notes')
  story.say('the table')
  await story.see('East leads.')
  const rows = story.screen().filter((line) => /华东|西北地区/.test(line))
  expect(rows).toHaveLength(2)
  // Cells of Chinese text are two columns wide: the borders stand under each other.
  const [first = '', second = ''] = rows
  expect(widthBefore(first, '25,310') + '25,310'.length).toBe(
    widthBefore(second, '980') + '980'.length,
  )
  expect(story.screen().join('\n')).not.toContain('**')
})

test('escapes of a model never reach the terminal [T58]', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('attack')
  await story.see(/before .*after/)
  expect(story.bytes()).not.toContain('\x1b]0;')
  expect(story.bytes()).not.toContain('\x1b[2J')
  expect(story.bytes()).not.toContain('\x9b')
  expect(story.screen().join('\n')).toContain('Ask anything')
})

test('what is typed while a turn runs waits in sight, and can be taken back', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('slow answer')
  await story.see('word word')
  story.say('after that')
  await story.see('waits: after that')
  story.write(key.up)
  await story.see(/❯ after that/)
  await expect.poll(() => story.screen().join('\n')).not.toContain('waits:')
  story.write(key.escape)
  await story.see('Stopped')
  await story.see('❯ after that')
})

test('Esc stops the agent, and what waited is there to be sent or not', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('slow answer')
  await story.see('word word')
  story.say('and then this')
  await story.see('waits: and then this')
  story.write(key.escape)
  await story.see('Stopped')
  await story.see('❯ and then this')
  expect(story.all().join('\n')).not.toContain('You said: and then this')
})

test('Ctrl-C twice leaves: the terminal is as it was, and how to go on is said', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('hello')
  await story.see(/You said: hello[\s\S]*tokens/)
  story.write(key.ctrl('c'))
  await story.see('Ctrl+C once more')
  story.write(key.ctrl('c'))
  expect(await story.ended).toBe(0)
  expect(story.all().join('\n')).toMatch(/dataagent --resume \S+/)
  const after = story.bytes().slice(-400)
  expect(after).toContain('\x1b[?2004l')
  expect(after).toContain('\x1b[?25h')
})

test('a session is gone on with, with what was said in it', async () => {
  await using first = await openStory({ platform })
  await first.see('Ask anything')
  first.say('remember the blue one')
  await first.see(/You said: remember the blue one[\s\S]*tokens/)
  first.write(key.ctrl('d'))
  await first.ended
  const [, id = ''] = /--resume (\S+)/.exec(first.all().join('\n')) ?? []
  await using second = await openStory({ platform, args: ['--resume', id] })
  await second.see('You said: remember the blue one')
  second.say('and now')
  await second.see('You said: and now')
})

test('a turn that failed is gone on with by /resume, as its advice says', async () => {
  fault = 500
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('fragile question')
  await story.see('/resume, or send it again')
  fault = undefined
  story.say('/resume')
  await story.see('You said: fragile question')
  story.say('/resume')
  await story.see('Open which session?')
}, 60_000)

test('one that cannot be gone on with says so in a line', async () => {
  fault = 400
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('fragile again')
  await story.see('The turn has ended.')
  fault = undefined
  story.say('/resume')
  await story.see('The turn that failed cannot be gone on with')
  story.say('hello')
  await story.see('You said: hello')
})

test('signals end it well', async () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    await using story = await openStory({ platform })
    await story.see('Ask anything')
    story.kill(signal)
    expect(await story.ended).toBe(code)
    expect(story.bytes().slice(-300)).toContain('\x1b[?2004l')
  }
})

test('at an error that nobody expected the terminal is restored, and the log named', async () => {
  const fault = 'process.on("SIGUSR2",()=>{throw new Error("boom")})'
  const load = `--import=data:text/javascript,${encodeURIComponent(fault)}`
  await using story = await openStory({ platform, env: { NODE_OPTIONS: load } })
  await story.see('Ask anything')
  story.kill('SIGUSR2')
  expect(await story.ended).toBe(1)
  expect(story.all().join('\n')).toMatch(/failed unexpectedly: Error: boom[\s\S]*log is: \S+/)
  expect(story.bytes()).toMatch(/\[\?2004l[\s\S]*failed unexpectedly/)
})

/** From then on no part of the screen can be drawn. */
const drawingFails = `
  const { flatMap } = Array.prototype
  process.on('SIGUSR2', () => {
    Array.prototype.flatMap = function (...given) {
      for (const part of this) {
        if (part?.render) part.render = () => { throw new Error('cannot be drawn') }
      }
      return flatMap.apply(this, given)
    }
    process.stdout.emit('resize')
  })`

test('where the screen itself cannot be drawn the terminal is restored too, and the log says why', async () => {
  const load = `--import=data:text/javascript,${encodeURIComponent(drawingFails)}`
  await using story = await openStory({ platform, env: { NODE_OPTIONS: load } })
  await story.see('Ask anything')
  story.say('hello')
  await story.see(/You said: hello[\s\S]*tokens/)
  story.kill('SIGUSR2')
  expect(await story.ended).toBe(1)
  expect(story.bytes()).toMatch(/\[\?25h[\s\S]*\[\?2004l[\s\S]*failed unexpectedly/)
  const shown = story.all().join('\n')
  expect(shown).toContain('You said: hello')
  const [, log = ''] =
    /failed unexpectedly: Error: cannot be drawn[\s\S]*log is: (\S+)/.exec(shown) ?? []
  expect(await readFile(log, 'utf8')).toContain('cannot be drawn')
})

test('Ctrl-C stops the turn that runs and gives back what waited; it does not leave', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.say('slow answer')
  await story.see('word word')
  story.say('and then this')
  await story.see('waits: and then this')
  story.write(key.ctrl('c'))
  await story.see('Stopped')
  await story.see('❯ and then this')
  const newest = async () => (await platform.client.runs.list({ limit: 1 })).runs[0]
  await expect.poll(newest).toMatchObject({ status: 'cancelled' })
  story.write(key.enter)
  await story.see('You said: and then this')
})

function widthBefore(line: string, text: string): number {
  const before = line.slice(0, line.indexOf(text))
  return [...before].reduce((sum, char) => sum + (/[\u4e00-\u9fff]/.test(char) ? 2 : 1), 0)
}
