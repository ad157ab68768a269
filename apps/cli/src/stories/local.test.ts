import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ModelStandIn,
  type Reply,
  startModelStandIn,
  temporaryDirectory,
  toolRounds,
} from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { greeter } from '../testing/test-greeter.ts'
import { key, openStory, type Story, type StoryOptions } from './test-story.ts'

let model: ModelStandIn

beforeAll(async () => {
  model = await startModelStandIn({
    script(request) {
      const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
      const hello = request.tools.find(({ name }) => name.includes('hello'))?.name ?? ''
      return replyTo(asked, toolRounds(request), hello)
    },
  })
})
afterAll(() => model[Symbol.asyncDispose]())

function replyTo(asked: string, rounds: number, hello: string): Reply {
  if (asked.includes('greet') && rounds === 0) {
    return { toolCalls: [{ name: hello, arguments: {} }] }
  }
  if (asked.includes('read') && rounds === 0) {
    return { toolCalls: [{ name: 'read_file', arguments: { path: 'data.csv' } }] }
  }
  return { text: `Done with ${asked}.` }
}

/** `dataagent` with nothing running beside it. */
async function openLocal(options: StoryOptions = {}): Promise<Story> {
  const story = await openStory({
    ...options,
    env: {
      DATAAGENT_MODEL: 'openai:standin',
      OPENAI_API_KEY: model.apiKey,
      OPENAI_BASE_URL: `${model.url}/v1`,
      ...options.env,
    },
  })
  await story.see('Ask anything')
  return story
}

async function putServers({ home }: Pick<Story, 'home'>, servers: object): Promise<void> {
  const folder = join(home, '.deepagents', 'default')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'mcp.json'), JSON.stringify(servers))
}

/** Processes whose environment or arguments name the person's folder: all that came of it. */
function processesOf({ home }: Story): string[] {
  const found = execFileSync('ps', ['axeww', '-o', 'pid=,args='], { encoding: 'utf8' })
  return found.split('\n').filter((line) => line.includes(home) && !line.includes('script -qfec'))
}

test('on its own it works in its folder, with the servers of a file, reloaded live [D29.7]', async () => {
  await using story = await openLocal()
  await writeFile(join(story.folder, 'data.csv'), 'region,amount\n华东,25310\n')
  story.say('read the data')
  await story.see('Done with read the data.', { timeoutMs: 28_000 })
  expect(story.all().join('\n')).toMatch(/read_file.*data\.csv/)
  await putServers(story, { servers: [{ name: 'greeter', ...greeter }, { name: 'bad' }] })
  story.say('/mcp reload')
  await story.see(/bad/)
  await story.see('mcp 1')
  story.say('greet me')
  await story.read(/1.*y.*\n.*2.*s/i)
  story.write('y')
  await story.see('Done with greet me.')
  expect(processesOf(story).some((line) => line.includes('greeter'))).toBe(true)
  story.write(key.ctrl('d'))
  expect(await story.ended).toBe(0)
  await expect.poll(() => processesOf(story)).toEqual([])
}, 90_000)

test('servers of files are connected from the start; one that fails is a line [D29.1] [D29.3] [D29.5] [D29.6]', async () => {
  await using home = await temporaryDirectory()
  const gone = { name: 'gone', command: '/nowhere/to/be/found' }
  await putServers({ home: home.path }, { servers: [{ name: 'greeter', ...greeter }, gone] })
  const more = join(home.path, 'more.json')
  await writeFile(more, JSON.stringify({ mcpServers: { named: greeter } }))
  await using story = await openLocal({ home, args: ['--mcp-config', more] })
  await story.see('MCP server "gone" is not connected', { timeoutMs: 28_000, anywhere: true })
  await story.see(/mcp 2\D+1/)
  expect(story.all().filter((line) => line.includes('"gone"'))).toHaveLength(1)
  story.say('greet me')
  await story.see(/1.*y.*\n.*2.*s/i)
}, 90_000)

/** On SIGUSR2 the program itself fails, and nothing that it has started. */
const fault = `
  if (process.argv[1]?.includes('dataagent') && !process.send)
    process.on('SIGUSR2', () => { throw new Error('boom') })`

const ends: [string, number | undefined, (story: Story) => unknown][] = [
  ['killed with -9', undefined, ({ kill }) => kill('SIGKILL')],
  ['told to stop', 143, ({ kill }) => kill('SIGTERM')],
  ['left by its terminal', 129, ({ kill }) => kill('SIGHUP')],
  [
    'left with Ctrl-C',
    0,
    async ({ write, see }) => {
      write(key.ctrl('c'))
      await see('Stopped')
      write(key.ctrl('c') + key.ctrl('c'))
    },
  ],
  ['failed', 1, ({ kill }) => kill('SIGUSR2')],
]

test.each(ends)(
  '%s in a call, it leaves no process behind',
  async (_, code, end) => {
    const load = `--import=data:text/javascript,${encodeURIComponent(fault)}`
    await using story = await openLocal({ env: { NODE_OPTIONS: load } })
    await putServers(story, { mcpServers: { greeter } })
    story.say('/mcp reload')
    await story.see('mcp 1', { timeoutMs: 28_000 })
    story.say('greet me')
    await story.read(/1.*y.*\n.*2.*s/i)
    expect(processesOf(story).some((line) => line.includes('greeter'))).toBe(true)
    await end(story)
    const ended = await story.ended
    if (code !== undefined) expect(ended).toBe(code)
    await expect.poll(() => processesOf(story), { timeout: 20_000 }).toEqual([])
  },
  90_000,
)

test("a project's server shows its exact command, is refused, and is asked about when it changes [T59]", async () => {
  await using home = await temporaryDirectory()
  const folder = join(home.path, 'project')
  await mkdir(folder)
  const put = (server: object) =>
    writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { theirs: server } }))
  const question = 'Start it, now and until it changes?'
  const open = () => openLocal({ home, args: ['-C', folder], columns: 160 })
  await put({ command: 'sh', args: ['-c', 'echo done > done.txt; # and ***'] })
  {
    await using story = await open()
    await story.see(question, { timeoutMs: 28_000 })
    const shown = story.all().join('\n')
    expect(shown).toContain(`${join(folder, '.mcp.json')} names the MCP server "theirs". It`)
    expect(shown).toContain('  runs: sh -c "echo done > done.txt; # and ***"\n')
    expect(shown).toContain(`  in: ${folder}`)
    await story.read(question)
    story.write('n')
    const kept = join(home.path, '.deepagents', 'mcp-trust.json')
    const verdict = () => readFile(kept, 'utf8').catch(() => 'none yet')
    await expect.poll(verdict, { timeout: 10_000 }).toContain('refused')
    await story.see('Ask anything')
    story.say('/mcp list')
    await story.see(/theirs +refused/)
  }
  {
    await using story = await open()
    story.say('hello')
    await story.see('Done with hello.', { timeoutMs: 28_000 })
    expect(story.all().join('\n')).not.toContain(question)
  }
  await put(greeter)
  await using story = await open()
  await story.read(question)
  story.write('y')
  await story.see('mcp 1')
  await expect(readFile(join(folder, 'done.txt'))).rejects.toThrow('ENOENT')
}, 120_000)
