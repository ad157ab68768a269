// Plays conversations in English and Chinese, and writes what the terminal shows to docs/screens,
// or to the folder that is named.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  type Reply,
  startModelStandIn,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { startTestPlatform } from '../testing/test-platform.ts'
import { key, openStory, type Story, type StoryOptions } from './test-story.ts'

const [target = join(import.meta.dirname, '../../../../docs/screens/terminal')] =
  process.argv.slice(2)

const texts = {
  en: {
    lang: 'C.UTF-8',
    prompt: 'Ask anything',
    sales: 'Sales by region last month?',
    answer:
      'East leads with 25,310.\n\n| region | amount |\n| --- | ---: |\n| East | 25,310 |\n| North | 18,020 |\n| West | 980 |\n',
    note: 'Write it to notes.md',
    send: 'Post it to the team',
    plan: 'Prepare the report of the month',
    steps: ['Look at the sales', 'Draw a chart', 'Write it down'],
    data: 'sales by region last month',
  },
  zh: {
    lang: 'zh_CN.UTF-8',
    prompt: '/ 命令',
    sales: '上月各区域销售额？',
    answer:
      '华东最高，为 25,310。\n\n| 区域 | 销售额 |\n| --- | ---: |\n| 华东 | 25,310 |\n| 华北 | 18,020 |\n| 西部 | 980 |\n',
    note: '写到 notes.md',
    send: '发送给团队',
    plan: '准备本月的报告',
    steps: ['查看销售数据', '绘制图表', '写成文档'],
    data: '上月各区域销售额',
  },
}
type Said = (typeof texts)['en']

interface Scene {
  name: keyof typeof texts
  said: Said
  /** `dataagent` in the language of the scene. */
  open(options?: StoryOptions): Promise<Story>
}

await using model = await startModelStandIn({ script })
await using platform = await startTestPlatform({ script })
await using withData = await startTestPlatform({
  ...{ isDemo: true, env: { DATAAGENT_SAMPLES: 'on' } },
})
const hasSamples = async () => {
  const { sources } = await withData.client.data.sources()
  return sources.some(({ name }) => name === 'retail')
}
await waitFor(hasSamples, { timeoutMs: 100_000, what: 'the sample data' })

function script(request: Parameters<typeof toolRounds>[0]): Reply {
  const asked = request.turns.findLast(({ role }) => role === 'user')?.text ?? ''
  return replyTo(asked, toolRounds(request))
}

function replyTo(asked: string, rounds: number): Reply {
  const said = Object.values(texts).find(({ note, send, sales, plan }) =>
    [note, send, sales, plan].includes(asked),
  )
  if (rounds === 0 && asked === said?.note) {
    const content = said.answer
    return { toolCalls: [{ name: 'write_file', arguments: { path: 'notes.md', content } }] }
  }
  if (rounds === 0 && asked === said?.send) {
    const args = { url: 'https://chat.example.com/hook', method: 'POST', body: '{"text":"25,310"}' }
    return { toolCalls: [{ name: 'http_request', arguments: args }] }
  }
  if (rounds < 2 && asked === said?.plan) return { toolCalls: [toPlan(said.steps, rounds)] }
  return { text: asked === said?.sales ? said.answer : 'OK.' }
}

/** The plan when so many of its steps are done. */
function toPlan(steps: readonly string[], completed: number) {
  const todos = steps.map((content, at) => ({
    content,
    status: at < completed ? 'completed' : at === completed ? 'in_progress' : 'pending',
  }))
  return { name: 'write_todos', arguments: { todos } }
}

await mkdir(target, { recursive: true })
for (const name of ['en', 'zh'] as const) {
  const said = texts[name]
  const scene: Scene = {
    ...{ name, said },
    open: (options = {}) =>
      openStory({
        ...{ platform, columns: 84, rows: 36, ...options },
        env: { LANG: said.lang, NO_COLOR: '1', ...options.env },
      }),
  }
  await keepConversation(scene)
  await keepData(scene)
  await keepServers(scene)
  await keepLines(scene)
}

async function keepConversation({ name, said, open }: Scene): Promise<void> {
  await using story = await open()
  await story.see(said.prompt)
  story.say(said.sales)
  await story.see(/980[\s\S]*(tokens|token)/)
  story.say(said.note)
  await story.see(/notes\.md[\s\S]*OK\./)
  await keep(story, `chat.${name}`)
  story.say(said.send)
  await story.see(/1 .*\n.*2 .*\n.*3 .*\n.*4 /)
  await keep(story, `approval.${name}`)
  await setTimeout(500)
  story.write('n')
  await story.see(/⊘/)
  for (const command of ['/help', '/mcp list', '/context', '/doctor']) {
    story.write(key.ctrl('l'))
    story.say(command)
    await setTimeout(2_500)
    await keep(story, `${command.slice(1).replace(' ', '-')}.${name}`)
  }
  story.say(said.plan)
  await story.see(/✓ .*\n.*❯ [\s\S]*OK\./)
  story.write(key.ctrl('t'))
  await story.see(/1\/3/)
  await keep(story, `plan.${name}`)
}

async function keepData({ name, said, open }: Scene): Promise<void> {
  await using story = await open({ platform: withData, columns: 100, rows: 50 })
  await story.see(said.prompt)
  story.say(said.data)
  await story.see(/\[q1\][\s\S]*token/, { timeoutMs: 60_000 })
  await keep(story, `data.${name}`)
}

/** Servers of a project, and of another program. */
async function keepServers({ name, said, open }: Scene): Promise<void> {
  await using home = await temporaryDirectory()
  await mkdir(join(home.path, '.cursor'))
  const ofCursor = { mcpServers: { tickets: { url: 'https://tickets.example.com/mcp' } } }
  await writeFile(join(home.path, '.cursor/mcp.json'), JSON.stringify(ofCursor))
  {
    await using story = await open({ home })
    await story.see(said.prompt)
    story.say('/mcp import')
    await story.read(/\.cursor\/mcp\.json[\s\S]*\n.*y .*n /)
    story.write('y')
    await story.see(/→ .*\n.*tickets/)
    await keep(story, `mcp-import.${name}`)
  }
  const project = join(home.path, 'shop')
  await mkdir(project)
  const ofProject = {
    mcpServers: { shop: { command: 'npx', args: ['-y', 'shop-mcp', '--write'] } },
  }
  await writeFile(join(project, '.mcp.json'), JSON.stringify(ofProject))
  const env = {
    ...{ DATAAGENT_MODEL: 'openai:standin', OPENAI_API_KEY: model.apiKey },
    OPENAI_BASE_URL: `${model.url}/v1`,
  }
  await using story = await open({ home, platform: undefined, args: ['-C', project], env })
  await story.see(/shop-mcp[\s\S]*\n.*y .*n /, { timeoutMs: 60_000 })
  await keep(story, `project-server.${name}`)
}

/** Where nothing can be drawn. */
async function keepLines({ name, said, open }: Scene): Promise<void> {
  await using story = await open({ env: { TERM: 'dumb' } })
  await story.see('> ')
  story.say(said.sales)
  await story.see(/980[\s\S]*token.*\n>/)
  story.say(said.send)
  await story.see(/http_request: [\s\S]*y .* n /)
  await keep(story, `lines.${name}`)
}

/** Folders are those of the reader: those that were made for it have other names each time. */
async function keep(story: Story, name: string): Promise<void> {
  await setTimeout(300)
  const lines = story.screen().map((line) =>
    line
      .replaceAll(story.folder, '~/work')
      .replaceAll(story.home, '~')
      .replaceAll(/\/tmp\/[\w-]+(?:[./]+[\w-]+)*/g, '~/work'),
  )
  await writeFile(join(target, `${name}.txt`), `${lines.join('\n').trimEnd()}\n`)
}
