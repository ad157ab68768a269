import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@dataagent/client'
import { createMcpManager } from '@dataagent/mcp'
import { findService, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStory } from '../apps/cli/src/stories/test-story.ts'
import { readGuide, testLanguages } from './readme/describe-guide.ts'
import { describePrograms, testLinks } from './readme/describe-page.ts'
import { blocksOf, rowsOf, withPlaces } from './readme/page-blocks.ts'
import {
  commandsOf,
  type RanCommands,
  refusalsIn,
  runCommands,
  writePrograms,
} from './readme/run-commands.ts'
import { makeFiles, makeSources } from './readme/test-data-sources.ts'
import { type ServerProcess, startServerProcess } from './readme/test-server-process.ts'
import { repository } from './setup/paths.mjs'

const guide = await readGuide('data.md')
const chinese = await readGuide('data.zh-CN.md')
const hasDatabases = (await findService('mysql')) && (await findService('postgres'))

describe.skipIf(!hasDatabases)('the commands of docs/data.md run as they stand', () => {
  const cleanup = new AsyncDisposableStack()
  let server: ServerProcess
  let folder: string
  let ran: RanCommands
  const partWith = (text: RegExp) => ran.parts.find((part) => text.test(part)) ?? 'no such part'

  beforeAll(async () => {
    folder = cleanup.use(await temporaryDirectory()).path
    const env = { DATAAGENT_SAMPLES: 'on' }
    server = cleanup.use(await startServerProcess(join(folder, 'data'), env))
    await sampleOf(server)
    const places = {
      ...(await makeSources(guide.text, folder, cleanup)),
      'http://localhost:8000': server.url,
      'the-key-of-an-administrator': server.key,
      'packages/data': join(repository, 'packages/data'),
    }
    ran = await runCommands(commandsOf(guide.text), { places, cwd: folder, timeoutMs: 240_000 })
  }, 400_000)
  afterAll(() => cleanup.disposeAsync())

  test('each is answered as the page says', () => {
    expect(ran.code, ran.said).toBe(0)
    expect(ran.said.match(/^20\d /gm)?.length).toBeGreaterThan(12)
    expect(refusalsIn(ran)).toEqual([expect.stringMatching(/^403 POST .*\/data\/queries$/)])
    expect(partWith(/begins with DELETE/)).toContain('"forbidden"')
  })

  test('the roles that the page makes can only read, and see what they were granted', async () => {
    expect(partWith(/"status":"ok"/)).toMatch(/"status_text":"PostgreSQL.*"read_only":true/)
    const { data } = createClient({ baseUrl: server.url, apiKey: server.key })
    const { sources } = await data.sources()
    for (const { source_id, name } of sources) {
      if (name === 'workspace' || name === 'retail') continue
      expect([name, await data.checkSource(source_id)]).toMatchObject([
        name,
        { status: 'ok', read_only: true },
      ])
    }
    const stock = sources.find(({ name }) => name === 'stock')
    const { tables } = await data.tables(stock?.source_id ?? '')
    const columns = tables.flatMap((table) => table.columns.map(({ name }) => name))
    expect(columns.toSorted()).toEqual(['city', 'item_id', 'supplier_id'])
  })

  test('what is described is told, what is hidden or not granted is not', () => {
    const told = partWith(/In euros/).replace(/^\{"tables":\{.*?\}(?=\{"tables":\[)/m, '')
    expect(told).toContain('"customer_id"')
    expect(told).toContain('In euros, with tax')
    expect(told).toMatch(/"row_count":3,"kept_rows":3/)
    expect(told).not.toMatch(/internal_note|import_log|full_name/)
  })

  test('a verified question runs, and the log has what was asked', () => {
    expect(partWith(/\[\["East",2\],\["West",1\]\]/)).toContain(
      '"verified_question_id":"orders-by-region"',
    )
    expect(partWith(/"queries":\[/)).toContain('"sql":"SELECT region, count(*) AS orders')
  })

  test('the sample answers: one question with its table, and all verified ones of its set', () => {
    expect(partWith(/\[q1\]/)).toMatch(/\nq1 · 7 rows · .* · retail/)
    expect(ran.parts.at(-1)).toContain('Trials 36: passed 36')
  })

  test('the terminal does what the page types', { timeout: 120_000 }, async () => {
    const { url, key: apiKey } = server
    await using story = await openStory({ platform: { url, apiKey }, columns: 120, rows: 50 })
    await story.see('Ask anything')
    const lines = blocksOf(guide.text, 'text').join('').trim().split('\n')
    expect(lines).toHaveLength(shown.length)
    for (const [at, line] of lines.entries()) {
      story.say(line)
      await story.see(shown[at]!, { timeoutMs: 30_000 })
    }
    const saved = await readFile(join(story.folder, 'regions.csv'), 'utf8')
    expect(saved.trim().split('\n')).toHaveLength(8)
    expect(await readFile(join(story.folder, 'regions.html'), 'utf8')).toContain('<svg')
  })
})

/** What the terminal shows after each line that the page types. */
const shown = [
  /✓ make_chart[\s\S]*█[\s\S]*\[q1\][\s\S]*\d ms · [\d,]+ tokens/,
  /❯ \/sql q1\s+Revenue by region[\s\S]*GROUP BY[\s\S]*q1 · 7 rows/,
  'Saved as regions.csv',
  /❯ \/chart q1\s+East +█+ [\d,.]+/,
  'Saved as regions.html',
  /❯ \/schema retail\s+customers +\d[\s\S]*regions +7 rows/,
  /❯ \/schema retail orders\s[\s\S]*ordered_at +TIMESTAMP/,
  /q2 · 3 rows · .* · retail[\s\S]*paid +│ \d+/,
  /❯ \/chart q2\s+paid +█+ [\d,]+/,
]

/** Waits for the sample data, which is made behind the start. */
async function sampleOf({ url, key }: ServerProcess): Promise<void> {
  const { data } = createClient({ baseUrl: url, apiKey: key })
  const isThere = async () => (await data.sources()).sources.some(({ name }) => name === 'retail')
  await waitFor(isThere, { timeoutMs: 100_000, what: 'the sample data' })
}

describePrograms(guide, {
  async startPlaces(cleanup) {
    const { path } = cleanup.use(await temporaryDirectory())
    const files = await makeFiles(path)
    await writePrograms(path)
    const server = cleanup.use(await startServerProcess(join(path, 'data')))
    const { data } = createClient({ baseUrl: server.url, apiKey: server.key })
    await data.createSource({
      name: 'sales',
      location: { kind: 'files', folder: join(path, 'srv/sales') },
    })
    return {
      ...{ ...files, 'http://localhost:8000': server.url, 'your key': server.key },
      "command: 'dataagent'": `command: '${join(path, 'dataagent')}'`,
    }
  },
  prints: [
    /q1: 2 rows from sales[\s\S]*East \| 30/,
    /^q1 2 \[ \[ 'East', 30 \], \[ 'West', 20 \] \]\n1 of 2\n<svg\nattachment; .*\.xlsx"\n/,
  ],
})

test('the table of tools has every tool, and its arguments', { timeout: 60_000 }, async () => {
  await using folder = await temporaryDirectory()
  const [config = ''] = blocksOf(guide.text, 'json')
  const files = await makeFiles(folder.path)
  await writePrograms(folder.path)
  const { sales } = JSON.parse(withPlaces(config, files)).mcpServers
  await using mcp = createMcpManager()
  const command = join(folder.path, sales.command)
  await mcp.addServer({ name: 'sales', transport: 'stdio', ...sales, command })
  const offered = mcp
    .listTools('sales')
    .map(({ originalName, definition }) => [
      originalName,
      Object.keys(definition.inputSchema.properties ?? {}),
    ])
  expect(offered).toHaveLength(6)
  for (const { text } of [guide, chinese]) {
    const rows = rowsOf(text).filter(([name]) => /^`\w+`$/.test(`${name}`))
    const told = rows.map(([name, args]) => [namesIn(name)[0], namesIn(args)])
    expect(told).toEqual(expect.arrayContaining(offered))
    expect(told).toContainEqual(['save_question', ['query', 'question']])
  }
})

test('the table of limits has the settings with their defaults', async () => {
  const reference = rowsOf(await readFile(join(repository, 'docs/configuration.md'), 'utf8'))
  const settings = reference.filter(([, name]) => /^`DATAAGENT_DATA(?!_DIR)/.test(`${name}`))
  expect(settings).toHaveLength(4)
  for (const { text } of [guide, chinese]) {
    const told = rowsOf(text).filter((cells) => /`DATAAGENT_DATA/.test(`${cells[2]}`))
    expect(told.map(([, value, name]) => [name, value])).toEqual(
      settings.map((cells) => [cells[1], cells.at(-1)]),
    )
  }
})

function namesIn(cell = ''): string[] {
  return [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => `${name}`)
}

testLinks(guide)
testLinks(chinese)
testLanguages(guide, chinese)
