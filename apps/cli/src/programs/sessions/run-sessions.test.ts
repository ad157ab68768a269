import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@dataagent/testkit'
import { visibleWidth } from '@earendil-works/pi-tui'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../../testing/test-platform.ts'
import { runProgram } from '../../testing/test-program.ts'
import { toTable } from './table.ts'

let platform: TestPlatform
const ids: string[] = []

beforeAll(async () => {
  platform = await startTestPlatform()
  for (const title of ['Sales\x1b[31m of May', '每周销售额', '']) {
    const { session_id } = await platform.client.sessions.create({ title })
    ids.push(session_id)
  }
  await platform.client.chat.send({ message: 'hello \x9b31m', session_id: ids[1]! })
})
afterAll(() => platform[Symbol.asyncDispose]())

const sessions = (...args: string[]) =>
  runProgram(['sessions', ...args], {
    env: { DATAAGENT_SERVER: platform.url, DATAAGENT_API_KEY: platform.apiKey },
  })

test('they are listed as an aligned table, without escapes', async () => {
  const { code, stdout } = await sessions()
  const lines = stdout.trimEnd().split('\n')
  expect(code).toBe(0)
  expect(lines).toHaveLength(4)
  expect(stdout).toContain('每周销售额')
  expect(stdout).not.toContain('\x1b')
  const columns = lines.slice(1).map((line) => visibleWidth(line.slice(0, line.indexOf('default'))))
  expect(new Set(columns).size).toBe(1)
})

test('--json, --search and --limit', async () => {
  const [found, limited] = await Promise.all([
    sessions('list', '--json', '--search', 'Sales'),
    sessions('list', '-n', '1'),
  ])
  expect(JSON.parse(found.stdout)).toMatchObject([{ session_id: ids[0] }])
  expect(found.stdout).not.toContain('\x1b')
  expect(limited.stdout.trimEnd().split('\n')).toHaveLength(2)
  expect(limited.stderr).toContain('1 of 3')
})

test('what was said is shown', async () => {
  const { stdout } = await sessions('show', ids[1]!)
  expect(stdout).toMatch(/^每周销售额\n\nYou:\nhello.*\n\nAgent:\nYou said: hello.*\n$/)
  expect(stdout).not.toContain('\x9b')
})

test('one is exported to a file, which is never overwritten, or printed', async () => {
  await using directory = await temporaryDirectory()
  const file = join(directory.path, 'a.json')
  const args = ['export', ids[1]!, '--format', 'json', '--to', file]
  expect(await sessions(...args)).toMatchObject({ code: 0, stdout: '' })
  expect(JSON.parse(await readFile(file, 'utf8')).session.session_id).toBe(ids[1])
  expect(await sessions(...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(file) })
  const printed = await sessions('export', ids[1]!)
  expect(printed.stdout).toMatch(/^# 每周销售额\n/)
  expect(printed.stdout).not.toContain('\x9b')
})

test('one is renamed, and deleted where that is confirmed', async () => {
  expect(await sessions('rename', ids[2]!, 'Another', 'title')).toMatchObject({ code: 0 })
  expect(await platform.client.sessions.get(ids[2]!)).toMatchObject({ title: 'Another title' })
  expect(await sessions('delete', ids[2]!)).toMatchObject({
    ...{ code: 2, stderr: expect.stringContaining('--yes') },
  })
  expect(await sessions('delete', '--yes', ids[2]!)).toMatchObject({ code: 0 })
  await expect(platform.client.sessions.get(ids[2]!)).rejects.toMatchObject({ status: 404 })
})

test('what is missing or not there is said', async () => {
  const [none, unknown] = await Promise.all([sessions('show'), sessions('show', 'nowhere')])
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('sessions list') })
  expect(unknown.code).toBe(1)
})

test('a table without rows is empty', () => {
  expect(toTable([])).toBe('')
})
