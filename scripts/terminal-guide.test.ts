import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions } from '@dataagent/harbor'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseBindings } from '../apps/cli/src/input/key-bindings.ts'
import { parseJsonc, toValue } from '../apps/cli/src/mcp/jsonc/parse-jsonc.ts'
import { readGuide } from './readme/describe-guide.ts'
import { blocksOf } from './readme/page-blocks.ts'
import { type RanCommands, runCommands } from './readme/run-commands.ts'
import { type ServerProcess, startServerProcess } from './readme/test-server-process.ts'

const [headless, terminal, harbor, keys] = await Promise.all(
  ['headless.md', 'terminal.md', 'harbor.md', 'keybindings.md'].map(readGuide),
)
const blocks = (page: { text: string } | undefined, language: string) =>
  blocksOf(page?.text ?? '', language)
/** One command a line, but for those that go on. */
const linesOf = (block = '') => block.replaceAll('\\\n', '').trim().split('\n')

describe('commands of the terminal run as they stand, on one platform', () => {
  const cleanup = new AsyncDisposableStack()
  let folder: string
  let server: ServerProcess

  beforeAll(async () => {
    folder = cleanup.use(await temporaryDirectory()).path
    server = cleanup.use(await startServerProcess(join(folder, 'data')))
    const [questions = ''] = blocks(harbor, 'json')
    await writeFile(join(folder, 'questions.json'), questions)
    await writeFile(join(folder, '.key'), server.key, { mode: 0o600 })
  }, 100_000)
  afterAll(() => cleanup.disposeAsync())

  function run(lines: string[], places: Record<string, string>): Promise<RanCommands> {
    const platform = `export DATAAGENT_SERVER=${server.url} DATAAGENT_API_KEY=${server.key}`
    return runCommands([platform, ...lines], { places, cwd: folder })
  }

  test('those of docs/headless.md print what it says', { timeout: 100_000 }, async () => {
    const before = [
      'git init -q && echo one > notes.txt && git add notes.txt && echo two >> notes.txt',
      'ID=$(dataagent run --quiet --output json "Hello" | jq -r .session_id)',
    ]
    const [commands] = blocks(headless, 'sh')
    const places = { '--session ID': '--session "$ID"', '…': 'Hello' }
    const ran = await run([...before, ...linesOf(commands)], places)
    expect(ran.code, ran.said).toBe(0)
    const printed = ran.parts.slice(3).map((part) => part.trim())
    expect(printed).toHaveLength(5)
    expect(printed).not.toContain('')
    expect(printed[2]).not.toContain('{')
    const told = `${printed[3]}`.split('\n').map((line) => JSON.parse(line).event_type)
    expect([told.at(0), told.at(-1)]).toEqual(['user_message', 'done'])
  })

  /** 1: an answer was wrong, as those of the demo model are. 2 would be the command line. */
  test('those of docs/harbor.md leave their reports', { timeout: 100_000 }, async () => {
    const places = {
      'https://agents.example.com': server.url,
      '"$AGENT_URL"': server.url,
      '--duration 60': '--duration 1',
      'harbor-runs/…/report.json': 'main.json',
    }
    const [first, pipeline] = blocks(harbor, 'sh')
    const keep = 'for report in harbor-runs/*/report.json; do cp $report main.json; done'
    const codes: unknown[] = []
    for (const line of [...linesOf(first).toSpliced(-1, 0, keep), ...linesOf(pipeline)]) {
      codes.push((await run([line], places)).code)
    }
    expect(codes).toEqual([0, 1, 1, 1, 0, 0, 1])
    expect(await readdir(join(folder, 'harbor'))).toEqual(
      expect.arrayContaining(['junit.xml', 'report.html', 'report.json']),
    )
  })
})

test('flags that docs/terminal.md starts with are in the help', { timeout: 60_000 }, async () => {
  await using folder = await temporaryDirectory()
  const ran = await runCommands(['dataagent help'], { places: {}, cwd: folder.path })
  const starts = blocks(terminal, 'sh').flatMap(linesOf)
  const words = starts.flatMap((line) =>
    line
      .replace(/\s+#.*/, '')
      .replace(/^npm run dataagent(?: --)?|^dataagent/, '')
      .split(' ')
      .filter((word) => /^(?:--?[a-zA-Z-]+|[a-z]+)$/.test(word)),
  )
  expect(words.length).toBeGreaterThan(5)
  expect(words.filter((word) => !ran.parts.join('').includes(word))).toEqual([])
})

test('the keys of docs/keybindings.md can be set so', () => {
  const [file = ''] = blocks(keys, 'json')
  const { bindings, warning } = parseBindings(file, 'keybindings.json', 'en')
  expect(warning).toBeUndefined()
  expect(bindings.plan).toEqual(['f2'])
})

test.each(['mcp-files.md', 'mcp-files.zh-CN.md'])('the file in docs/%s is read', async (file) => {
  const [config = ''] = blocks(await readGuide(file), 'jsonc')
  const { mcpServers } = toValue(parseJsonc(config)) as { mcpServers: object }
  expect(Object.keys(mcpServers)).toEqual(['files', 'github', 'old'])
})

test.each(
  ['harbor', 'questions', 'evaluations'].flatMap((name) => [`${name}.md`, `${name}.zh-CN.md`]),
)('the questions in docs/%s are read', async (file) => {
  const page = await readGuide(file)
  const [set = ''] = [...blocks(page, 'yaml'), ...blocks(page, 'json')]
  expect(parseQuestions(set, { name: 'set' }).questions.length).toBeGreaterThan(0)
})
