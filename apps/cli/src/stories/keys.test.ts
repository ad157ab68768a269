import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Reply, temporaryDirectory, toolRounds } from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { key, openStory } from './test-story.ts'

let platform: TestPlatform
/** The model takes long for each word. */
let isSlow = false

beforeAll(async () => {
  platform = await startTestPlatform({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      return replyTo(asked, toolRounds(request))
    },
  })
})
afterAll(() => platform[Symbol.asyncDispose]())

const steps = ['Look at the sales', 'Draw a chart', 'Write it down']

function replyTo(asked: string, rounds: number): Reply {
  if (isSlow) return { text: 'word '.repeat(5_000), itl: 20 }
  if (asked.includes('plan') && rounds < 2) return { toolCalls: [toPlan(rounds)] }
  return { text: `You said: ${asked.split('\n')[0]?.slice(0, 30)}` }
}

/** The plan when so many of its steps are done. */
function toPlan(completed: number) {
  const todos = steps.map((content, at) => ({
    content,
    status: at < completed ? 'completed' : at === completed ? 'in_progress' : 'pending',
  }))
  return { name: 'write_todos', arguments: { todos } }
}

/** Esc as terminals send it that tell it apart from the beginning of other keys. */
const esc = '\x1b[27u'

test('a plan is shown as it is made, then by what changed, and whole with Ctrl+T', async () => {
  await using story = await openStory({ platform })
  await story.see('Ask anything')
  story.write(key.ctrl('t'))
  await story.see('There is no plan.')
  story.write(key.ctrl('t'))
  await expect.poll(() => story.screen().join('\n')).not.toContain('There is no plan.')
  story.say('plan the report')
  await story.see('You said: plan the report')
  await story.see(/Plan 0\/3\n\s*❯ Look at the sales[\s\S]*✓ Look at the sales\n\s*❯ Draw a chart/)
  story.write(key.ctrl('t'))
  await story.see(/Plan 1\/3\n\s*✓ Look at the sales\n\s*❯ Draw a chart\n.*Write it down\n/)
})

test('Ctrl+O shows what was folded last, whole', async () => {
  await using story = await openStory({ platform, rows: 40 })
  await story.see('Ask anything')
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at}.`)
  story.write(`\x1b[200~${lines.join('\r')}\x1b[201~`)
  await story.see('[paste')
  story.write(key.enter)
  await story.see('You said: line 0.')
  expect(story.all().join('\n')).toMatch(/8 more lines, Ctrl\+O/)
  expect(story.all().join('\n')).not.toContain('line 19.')
  story.write(key.ctrl('o'))
  await story.see('line 19.')
})

test('? tells the keys, Ctrl+P has all commands, and Esc Esc the message before', async () => {
  await using story = await openStory({ platform, rows: 40 })
  await story.see('Ask anything')
  story.write('?')
  await story.see(/Ctrl\+T +show the plan[\s\S]*Ctrl\+D +leave/)
  story.write(key.ctrl('p'))
  await story.see(/→ \/?new[\s\S]*sessions/)
  story.write(esc)
  await expect.poll(() => story.screen().join('\n')).not.toMatch(/→ \/?new/)
  story.write(key.ctrl('c'))
  story.say('the blue one')
  await story.see(/You said: the blue one[\s\S]*tokens/)
  story.write(esc + esc)
  await story.see(/❯ the blue one[\s\S]*❯ the blue one/)
})

test('a theme that is chosen is kept for the next start', async () => {
  await using home = await temporaryDirectory()
  {
    await using story = await openStory({ platform, home })
    await story.see('Ask anything')
    story.say('/theme')
    await story.see(/→ dark[\s\S]*light[\s\S]*mono/)
    for (const _ of ['light', 'mono']) story.write(key.down)
    await story.see('→ mono')
    story.write(key.enter)
    await story.see(/✓ .*mono/)
    const kept = await readFile(join(home.path, '.deepagents', 'preferences.json'), 'utf8')
    expect(JSON.parse(kept)).toMatchObject({ theme: 'mono' })
  }
  await using story = await openStory({ platform, home })
  await story.see('Ask anything')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(story.bytes()).not.toMatch(/\x1b\[(?:3[0-7]|9[0-7]|38;)/)
})

test('servers of other programs are taken over once they were shown', async () => {
  await using home = await temporaryDirectory()
  await mkdir(join(home.path, '.cursor'))
  const mcpServers = { theirs: { url: 'https://mcp.example.com/mcp' } }
  await writeFile(join(home.path, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers }))
  await using story = await openStory({ platform, home })
  await story.see('Ask anything')
  story.say('/mcp import')
  await story.read(/Cursor: \S+\.cursor\/mcp\.json[\s\S]*Go\s+on\?/)
  story.write('y')
  await story.see(/✓ theirs +new[\s\S]*https:\/\/mcp\.example\.com\/mcp[\s\S]*Which ones\?/)
  story.write(key.enter)
  const names = async () => {
    const { servers } = await platform.client.userServers.list(platform.user_id)
    return servers.map(({ name }) => name)
  }
  await expect.poll(names, { timeout: 10_000 }).toEqual(['theirs'])
  await platform.client.userServers.delete(platform.user_id, 'theirs')
})

test('a command that waits for others is seen to work, and Esc stops it there too', async () => {
  const { sessions, chat, runs } = platform.client
  const { session_id } = await sessions.create({ assistant_id: 'default' })
  for (const at of [1, 2, 3]) {
    await chat.send({ session_id, message: `Note ${at}: ${'rain and sun '.repeat(400)}` })
  }
  await using story = await openStory({ platform, args: ['--resume', session_id] })
  await story.see('You said: Note 3')
  isSlow = true
  using _quick = {
    [Symbol.dispose]() {
      isSlow = false
    },
  }
  story.say('/compact')
  await story.see(/Working, Esc stops it… \d/)
  await expect.poll(platform.model.active, { timeout: 10_000 }).toBe(1)
  story.write(esc)
  await story.see('! Stopped.')
  await expect.poll(platform.model.active, { timeout: 10_000 }).toBe(0)
  expect(story.screen().join('\n')).not.toContain('Working')
  const [newest] = (await runs.list({ limit: 1 })).runs
  expect(newest).toMatchObject({ status: 'cancelled' })
  isSlow = false
  story.say('hello')
  await story.see('You said: hello')
})
