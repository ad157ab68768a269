import { execFileSync } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { type RunningProgram, runProgram, startProgram } from '../../testing/test-program.ts'

interface Place {
  path: string
  env: Record<string, string>
  temporary: string
}

async function makePlace(): Promise<Place> {
  const directory = await temporaryDirectory()
  onTestFinished(() => directory[Symbol.asyncDispose]())
  const { path } = directory
  const temporary = join(path, 'tmp')
  for (const name of ['sales', 'tmp']) await mkdir(join(path, name))
  await writeFile(join(path, 'sales/orders.csv'), 'region,amount\n华东,25310\n西部,980\n')
  return { path, temporary, env: { HOME: path, TMPDIR: temporary } }
}

const hello = {
  ...{ id: 1, method: 'initialize' },
  params: {
    ...{ protocolVersion: '2025-06-18', capabilities: {} },
    clientInfo: { name: 'test', version: '1' },
  },
}

/** Sends a request and waits for the line that answers it. */
async function ask(
  program: RunningProgram,
  request: { id: number; method: string; params?: object },
) {
  program.process.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`)
  const isAnswer = (line: string) => line.includes(`"id":${request.id}`) && line.endsWith('}')
  const find = () => program.stdout().split('\n').slice(0, -1).find(isAnswer)
  const line = await waitFor(find, { timeoutMs: 25_000, what: request.method })
  return JSON.parse(line).result
}

const toCall = (id: number, source: string, sql: string) => ({
  ...{ id, method: 'tools/call', params: { name: 'run_sql', arguments: { source, sql } } },
})

/** Processes that came of it: they have its folder in their environment or arguments. */
function processesOf({ path }: Place): string[] {
  const found = execFileSync('ps', ['axeww', '-o', 'pid=,args='], { encoding: 'utf8' })
  return found.split('\n').filter((line) => line.includes(path))
}

test.for(['SIGTERM', 'SIGINT', 'end of input'] as const)(
  'serves a folder until %s, and leaves nothing behind',
  { timeout: 60_000 },
  async (how) => {
    const place = await makePlace()
    const args = ['mcp-data', '--folder', join(place.path, 'sales')]
    await using program = startProgram(args, { ...place, cwd: place.path, input: { open: true } })
    await ask(program, hello)
    const { content } = await ask(program, toCall(2, 'sales', 'SELECT * FROM orders'))
    expect(content[0].text).toContain('华东 | 25310')
    expect(await readdir(place.temporary)).not.toEqual([])
    if (how === 'end of input') program.process.stdin?.end()
    else program.process.kill(how)
    expect(await program.ended).toBe(0)
    await expect.poll(() => processesOf(place)).toEqual([])
    expect(await readdir(place.temporary)).toEqual([])
    for (const line of program.stdout().trim().split('\n'))
      expect(() => JSON.parse(line)).not.toThrow()
    expect(program.stderr()).toContain('dataagent: serving sales')
  },
)

test('serves a database that is a file, by the name it is given', async () => {
  const place = await makePlace()
  const file = join(place.path, 'shop.db')
  const database = new DatabaseSync(file)
  database.exec("CREATE TABLE items (name TEXT, price INTEGER); INSERT INTO items VALUES ('茶', 7)")
  database.close()
  const args = ['--lang', 'zh', 'mcp-data', '--sqlite', file, '--name', 'Tea']
  await using program = startProgram(args, { ...place, input: { open: true } })
  await ask(program, hello)
  const { content } = await ask(program, toCall(2, 'tea', 'SELECT name, price FROM items'))
  expect(content[0].text).toContain('茶 | 7')
  const refused = await ask(program, toCall(3, 'tea', 'DELETE FROM items'))
  expect(refused.isError).toBe(true)
  expect(program.stderr()).toContain('正在通过标准输入输出提供 Tea')
}, 60_000)

test('what it is not told, or is not there, is one line and the exit code 2', async () => {
  const [nothing, missing, seen] = await Promise.all([
    runProgram(['mcp-data']),
    runProgram(['mcp-data', '--sqlite', '/nowhere/x.db']),
    runProgram(['mcp-data', '--url', 'mysql://ana:s3cret@127.0.0.1:9/shop'], { input: '' }),
  ])
  expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('DATAAGENT_DATA_URL') })
  expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('/nowhere/x.db') })
  expect(seen).toMatchObject({ code: 0, stdout: '' })
  expect(seen.stderr).toContain('can see the password')
  expect(seen.stderr).not.toContain('s3cret')
}, 60_000)
