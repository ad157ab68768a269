import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAs, serverConfigSchema } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { toWritable } from './writable-folders.ts'

const nowhere = '/no/such/home'

function foldersOf(config: object, home = nowhere): string[] {
  const parsed = parseAs(serverConfigSchema, { name: 'x', command: 'x', ...config }, 'server')
  if (parsed.transport !== 'stdio') throw new Error('no command')
  return toWritable(parsed, home)
}

test('a server writes where it starts, and what its arguments and variables name', async () => {
  await using directory = await temporaryDirectory()
  const at = (...names: string[]) => join(directory.path, ...names)
  for (const name of ['files', 'data', 'here', 'code']) await mkdir(at(name))
  await writeFile(at('code', 'server.js'), '')
  const args = ['-y', '@scope/server', at('files'), `--data=${at('data')}`, at('code', 'server.js')]
  const config = { args, cwd: at('here'), env: { MEMORY: at('data', 'new.json'), TZ: 'UTC' } }
  const found = ['here', 'files', 'data', 'code'].map((name) => at(name))
  expect(foldersOf(config)).toEqual(found)
})

test.each([
  '%s',
  '--root=%s',
  '--roots=/no/such/a,%s',
  '{"knobs":{"file":"%s/x.json"}}',
  '%s:/usr',
])('it names a folder by %j', async (text) => {
  await using directory = await temporaryDirectory()
  expect(foldersOf({ args: [text.replace('%s', directory.path)] })).toEqual([directory.path])
})

test.each([
  '/',
  '/usr',
  '/usr/bin/node',
  '/etc',
  '/etc/hosts',
  '/proc/self',
  '/no/such/a',
  '/dev/shm',
])('but not %s', (path) => {
  expect(foldersOf({ args: [path] })).toEqual([])
})

test('nor the code of this server', () => {
  const code = join(import.meta.dirname, '..')
  expect(foldersOf({ args: [code, join(import.meta.dirname, 'tool-layer.ts')] })).toEqual([])
})

test.each([
  ['npx', ['-y', 'pkg'], '.npm'],
  ['/usr/bin/uvx', ['mcp-server-time'], '.cache'],
  ['npx', ['mcp-remote@latest', 'https://mcp.example'], '.mcp-auth'],
])('%s %j finds the cache that it needs', async (command, args, cache) => {
  await using home = await temporaryDirectory()
  expect(foldersOf({ command, args }, home.path)).toContain(join(home.path, cache))
  expect(existsSync(join(home.path, cache))).toBe(true)
})

test('a home without caches stays as it is for whoever needs none', async () => {
  await using home = await temporaryDirectory()
  expect(foldersOf({}, home.path)).toEqual([])
})
