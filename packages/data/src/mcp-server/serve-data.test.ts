import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createStdioTransport, type McpClient, openClient } from '@dataagent/mcp'
import { inspectorProgram, temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const program = join(import.meta.dirname, 'test-data-server.ts')
const run = promisify(execFile)

let place: { path: string } & AsyncDisposable
let client: McpClient
const log: string[] = []

beforeAll(async () => {
  place = await temporaryDirectory()
  for (const name of ['sales', 'home', 'tmp']) await mkdir(join(place.path, name))
  const rows = ['华东,25310.50', '华北,18020', '西部,980']
  await writeFile(join(place.path, 'sales/orders.csv'), `region,amount\n${rows.join('\n')}\n`)
  client = await open()
}, 60_000)
afterAll(async () => {
  await client[Symbol.asyncDispose]()
  await place[Symbol.asyncDispose]()
})

const args = () => [
  ...['--conditions=dataagent-source', program],
  ...[join(place.path, 'sales'), join(place.path, 'out')],
]
const env = () => ({ HOME: join(place.path, 'home'), TMPDIR: join(place.path, 'tmp') })

async function open(): Promise<McpClient> {
  const command = { command: process.execPath, args: args(), env: env() }
  const createTransport = () =>
    createStdioTransport({ ...command, onStderr: (line) => void log.push(line) })
  return (await openClient({ createTransport, timeoutMs: 60_000 })).client
}

async function call(name: string, given: Record<string, unknown> = {}) {
  const { content, isError = false, structuredContent } = await client.callTool(name, given)
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return { text, isError, content, structuredContent }
}

const sql = 'SELECT region, sum(amount) AS total FROM orders GROUP BY 1 ORDER BY 2 DESC'

describe('data over stdio', () => {
  test('offers the tools that need nothing beyond the process', async () => {
    const tools = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_sources', 'describe_source', 'run_sql', 'profile_table', 'make_chart', 'export'],
    ])
    for (const { inputSchema } of tools) expect(inputSchema.type).toBe('object')
  })

  test('tells its source, tables and what is in them', async () => {
    expect((await call('list_sources')).text).toMatch(/^sales \(files\)/)
    expect((await call('describe_source', { source: 'sales' })).text).toContain('amount DOUBLE')
    const profile = await call('profile_table', { source: 'sales', table: 'orders' })
    expect(profile.text).toContain('orders: 3 rows')
    // The log has a pipe of its own, and may come after the answer.
    await vi.waitFor(() => expect(log.join('\n')).toContain('sales: DuckDB'))
  })

  test('runs a query; its number makes a chart, as text and as an image for people', async () => {
    const { structuredContent, text } = await call('run_sql', { source: 'sales', sql })
    expect(text).toContain('华东 | 25310.5')
    const { ref } = structuredContent as { ref: string }
    const chart = { type: 'bar', x: 'region', y: ['total'] }
    const drawn = await call('make_chart', { query: ref, chart })
    expect(drawn.text).toMatch(/华东 +█+/)
    const [, image] = drawn.content
    expect(image).toMatchObject({
      type: 'resource',
      resource: { mimeType: 'image/svg+xml', text: expect.stringMatching(/^<svg[\s\S]*华东/) },
    })
    const wrong = await call('make_chart', { query: ref, chart: { ...chart, x: 'regoin' } })
    expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining('region') })
  })

  test('exports into its folder, says where, and writes over nothing', async () => {
    const { structuredContent } = await call('run_sql', { source: 'sales', sql })
    const { ref: query } = structuredContent as { ref: string }
    const saved = await call('export', { query, format: 'csv', name: 'by region' })
    const path = join(place.path, 'out', 'by region.csv')
    expect(saved.text).toContain(path)
    expect(await readFile(path, 'utf8')).toContain('华东,25310.5\r\n')
    const again = await call('export', { query, format: 'csv', name: 'by region' })
    expect(again).toMatchObject({ isError: true, text: expect.stringContaining('another name') })
    const out = await call('export', { query, format: 'csv', name: '../../x' })
    expect(out.isError).toBe(true)
  })

  test.for([
    ['run_sql', { source: 'sales', sql: 'DROP TABLE orders' }, /SELECT|read/i],
    ['run_sql', { source: 'sales', sql: "SELECT * FROM read_text('/etc/passwd')" }, /./],
    ['run_sql', { source: 'other', sql: 'SELECT 1' }, /There are: sales/],
    ['run_sql', { source: 'sales' }, /sql/],
    ['make_chart', { query: 'q99', chart: { type: 'bar', y: ['a'] } }, /no query q99/],
    ['save_question', { query: 'q1', question: '?' }, /no tool save_question/],
  ] as const)(
    'what cannot be done is a result that says why: %s %o',
    async ([name, given, why]) => {
      const { isError, text } = await call(name, given)
      expect(isError).toBe(true)
      expect(text).toMatch(why)
      expect(text).not.toContain('root:')
    },
  )

  test('a query that is given up is stopped, and the next one runs', async () => {
    const stop = new AbortController()
    const slow = { source: 'sales', sql: 'SELECT count(*) FROM range(1e12::BIGINT) a' }
    const given = client.callTool('run_sql', slow, { signal: stop.signal })
    const ended = expect(given).rejects.toThrow()
    stop.abort()
    await ended
    expect((await call('run_sql', { source: 'sales', sql: 'SELECT 1 AS one' })).text).toContain(
      'one',
    )
  })

  test('with its client everything goes: rows that were kept, and processes', async () => {
    const other = await open()
    await other.callTool('run_sql', { source: 'sales', sql })
    const before = await readdir(join(place.path, 'tmp'))
    await other[Symbol.asyncDispose]()
    await expect
      .poll(async () => (await readdir(join(place.path, 'tmp'))).length)
      .toBeLessThan(before.length)
    const own = (await readdir(join(place.path, 'tmp'))).filter((name) => /-data-/.test(name))
    expect(own).toHaveLength(1)
  })
})

describe('the Inspector', () => {
  const inspect = async (...asked: string[]) => {
    const all = [inspectorProgram(), '--cli', process.execPath, ...args(), ...asked]
    const { stdout } = await run(process.execPath, all, {
      env: { ...env(), PATH: process.env.PATH ?? '' },
      timeout: 60_000,
    })
    return JSON.parse(stdout)
  }

  test('lists the tools and calls one', async () => {
    const { tools } = await inspect('--method', 'tools/list')
    expect(tools).toHaveLength(6)
    const asked = ['--tool-name', 'run_sql', '--tool-arg', 'source=sales', `sql=${sql}`]
    const { content } = await inspect('--method', 'tools/call', ...asked)
    expect(content[0].text).toContain('华北 | 18020')
  }, 120_000)
})
