import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@dataagent/client'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runServer, type ServerProcess } from '../testing/test-server.ts'
import { startWorkers } from '../testing/test-workers.ts'

const patience = { timeoutMs: 60_000 }
const slow = { timeout: 180_000 }
const auto = { DATAAGENT_SAMPLES: 'auto' }
type Client = ReturnType<typeof createClient>

async function clientAt(server: ServerProcess, apiKey: string): Promise<Client> {
  const baseUrl = await server.url()
  await waitFor(async () => (await fetch(`${baseUrl}/api/v1/ready`)).ok, patience)
  return createClient({ baseUrl, apiKey })
}

async function hasRetail({ data }: Client): Promise<boolean> {
  return (await data.sources()).sources.some(({ name }) => name === 'retail')
}

/** Those that a process has started, and those that these have. */
function descendantsOf(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(Number(name))] as const)
  const found = [pid]
  for (const one of found)
    found.push(...parents.filter(([, parent]) => parent === one).map(([child]) => child))
  return found.slice(1)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/\) \w (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
  } catch {
    return undefined
  }
}

const isGone = (pid: number) => !existsSync(`/proc/${pid}`)
const mapsOf = (pid: number) => readFileSync(`/proc/${pid}/maps`, 'latin1')
const byRegion =
  'SELECT r.name AS region, sum(o.amount) AS amount FROM orders o JOIN regions r USING (region_id) ' +
  'GROUP BY ALL ORDER BY 1'

test(
  'the first start answers about the sample, apart from the server, and leaves nothing',
  slow,
  async () => {
    await using directory = await temporaryDirectory()
    await using server = runServer({ dataDir: directory.path, env: auto })
    const key = await server.shownKey()
    const client = await clientAt(server, key)
    await waitFor(() => hasRetail(client), patience)
    await waitFor(() => server.stdout().includes('the sample data retail is there'), patience)

    const query = await client.data.run({ source: 'retail', sql: byRegion })
    expect(query.columns.map(({ name }) => name)).toEqual(['region', 'amount'])
    expect(query.row_count).toBe(7)
    const { questions, total } = await client.data.questions({ verified: 'true', limit: 200 })
    expect(total).toBe(questions.length)
    expect(questions.length).toBeGreaterThan(20)
    expect((await client.data.definitions()).definitions.length).toBeGreaterThan(3)
    const { tables } = await client.data.tables('retail')
    expect(tables.map(({ name }) => name)).toEqual(['customers', 'orders', 'products', 'regions'])
    expect(tables.every(({ description = '' }) => description !== '')).toBe(true)

    const { events } = await client.chat.send({ message: '上月各区域销售额？' })
    const blocks = events.filter(({ event_type }) => event_type === 'result_block')
    expect(blocks).toMatchObject([{ block: { kind: 'query' } }, { block: { kind: 'chart' } }])

    const pid = server.process.pid as number
    const children = descendantsOf(pid)
    expect(children.some((child) => mapsOf(child).includes('duckdb'))).toBe(true)
    expect(mapsOf(pid)).not.toContain('duckdb')
    await client.data.deleteSource('retail')
    server.process.kill('SIGTERM')
    expect(await server.ended).toBe(0)
    await waitFor(() => children.every(isGone), { timeoutMs: 10_000, what: 'end of all children' })

    const env = { ...auto, DATAAGENT_LOG_LEVEL: 'debug' }
    await using again = runServer({ dataDir: directory.path, env })
    const second = await clientAt(again, key)
    await waitFor(() => again.stdout().includes('sample data is as the settings want it'), patience)
    expect(await hasRetail(second)).toBe(false)
    expect((await second.data.questions()).total).toBe(0)
  },
)

test('several workers make the sample once, and each of them can ask it', slow, async () => {
  await using directory = await temporaryDirectory()
  await using workers = await startWorkers({
    ...{ workers: 2, dataDir: directory.path, env: { DATAAGENT_SAMPLES: 'on' } },
  })
  const operator = workers.clientOf('operator')
  await waitFor(() => workers.server.stdout().includes('the sample data retail is there'), patience)
  const { sources } = await operator.data.sources()
  expect(sources.filter(({ kind, name }) => kind === 'files' && name === 'retail')).toHaveLength(1)
  const asked = Array.from({ length: 4 }, () =>
    operator.data.run({ source: 'retail', sql: byRegion }),
  )
  const counts = (await Promise.all(asked)).map(({ row_count }) => row_count)
  expect(counts).toEqual([7, 7, 7, 7])
  expect(workers.server.stdout().match(/the sample data retail is there/g)).toHaveLength(1)
  expect(readdirSync(join(directory.path, 'samples'))).toContain('retail')
  expect(readdirSync(join(directory.path, 'samples')).join()).not.toContain('making')

  const children = descendantsOf(workers.server.process.pid as number)
  workers.server.process.kill('SIGTERM')
  await workers.server.ended
  await waitFor(() => children.every(isGone), { timeoutMs: 10_000, what: 'end of all children' })
})

test('a sample that cannot be made is one line in the log, and is tried again', slow, async () => {
  await using directory = await temporaryDirectory()
  const folder = join(directory.path, 'samples', 'retail')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'mine.txt'), 'not yours')
  const env = { DATAAGENT_SAMPLES: 'on' }
  await using server = runServer({ dataDir: directory.path, env })
  const failed = 'the sample data could not be set up'
  const key = await server.shownKey()
  await waitFor(() => server.stdout().includes(failed), patience)
  expect(server.records().filter(({ message }) => message === failed)).toHaveLength(1)
  expect(await hasRetail(await clientAt(server, key))).toBe(false)
  server.process.kill('SIGTERM')
  await server.ended

  await rm(folder, { recursive: true })
  await using second = runServer({ dataDir: directory.path, env })
  await second.url()
  const isBeingMade = () =>
    readdirSync(join(directory.path, 'samples')).some((name) => name.includes('making'))
  await waitFor(isBeingMade, patience)
  const children = descendantsOf(second.process.pid as number)
  second.process.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  await waitFor(() => children.every(isGone), { timeoutMs: 10_000, what: 'end of all children' })
  expect(isBeingMade()).toBe(false)

  await using third = runServer({ dataDir: directory.path, env })
  const client = await clientAt(third, key)
  await waitFor(() => hasRetail(client), patience)
  third.process.kill('SIGTERM')
  await third.ended

  await using off = runServer({ dataDir: directory.path, env: { DATAAGENT_SAMPLES: 'off' } })
  const last = await clientAt(off, key)
  await waitFor(async () => {
    const { sources } = await last.data.sources()
    return sources.some(({ name, enabled }) => name === 'retail' && !enabled)
  }, patience)
})

test('where nothing is kept the sample is there as long as the server', slow, async () => {
  await using directory = await temporaryDirectory()
  const env = { DATAAGENT_SAMPLES: 'on', DATAAGENT_SESSION_STORE: 'memory', TMPDIR: directory.path }
  await using server = runServer({ dataDir: join(directory.path, 'data'), env })
  const client = await clientAt(server, await server.shownKey())
  await waitFor(() => server.stdout().includes('the sample data retail is there'), patience)
  const { rows } = await client.data.run({ source: 'retail', sql: byRegion })
  expect(rows.length).toBeGreaterThan(0)
  const foldersOf = () => readdirSync(directory.path).filter((name) => /^dataagent-/.test(name))
  expect(foldersOf()).not.toEqual([])
  server.process.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(foldersOf()).toEqual([])
})
