// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references as files have them
import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileServers } from './contract.ts'
import { readServers, usableServers, warningsOf } from './read-servers.ts'
import { testPlace } from './test-place.ts'

const told = ({ servers }: FileServers) => servers.map(({ name, status }) => `${name} ${status}`)

test("the file of the agent in the user's home is read [D29.1]", async () => {
  await using place = await testPlace()
  await place.putUser({ mcpServers: { files: { command: 'npx', args: ['-y', 'files'] } } })
  const other = join(place.home, '.deepagents', 'other', 'mcp.json')
  await place.put(other, { mcpServers: { web: { url: 'https://mcp.example/mcp' } } })
  expect(usableServers(await readServers(place))).toMatchObject([
    { name: 'files', transport: 'stdio', command: 'npx', args: ['-y', 'files'] },
  ])
  expect(usableServers(await readServers({ ...place, assistant_id: 'other' }))).toMatchObject([
    { name: 'web', transport: 'http', url: 'https://mcp.example/mcp' },
  ])
})

test('a server is a name, a command, arguments, variables, and may be switched off [D29.2]', async () => {
  await using place = await testPlace()
  const files = { name: 'files', command: 'npx', args: ['x'], env: { KEY: '${TOKEN}' } }
  await place.putUser({ servers: [files, { name: 'off', command: 'y', disabled: true }] })
  const found = await readServers(place)
  expect(told(found)).toEqual(['files ok', 'off disabled'])
  expect(usableServers(found)).toMatchObject([{ ...files, env: { KEY: 'hush-hush-hush' } }])
})

test('comments, trailing commas, both transports of the web and fields of others are taken', async () => {
  await using place = await testPlace()
  await place.putUser(`{
    // as in an editor
    "mcpServers": {
      "old": { "type": "sse", "url": "https://\${REGION}.example/sse", "autoApprove": ["*"] },
      "new": { "type": "streamable-http", "url": "https://a.example", "headers": { "X": "$\${Y}" } },
    },
  }`)
  expect(usableServers(await readServers(place))).toMatchObject([
    { name: 'old', transport: 'sse', url: 'https://east.example/sse' },
    { name: 'new', transport: 'http', headers: { X: '${Y}' } },
  ])
})

test('files that are named on the command line are read too, and count more [D29.6]', async () => {
  await using place = await testPlace()
  await place.putUser({ mcpServers: { a: { command: 'a1' }, b: { command: 'b1' } } })
  await place.put(join(place.folder, 'more.json'), { mcpServers: { b: { command: 'b2' } } })
  const third = await place.put(join(place.home, 'third.json'), {
    servers: [{ name: 'c', command: 'c3' }],
  })
  const flags = { mcpConfigs: ['more.json', third, 'gone.json'] }
  const found = await readServers({ ...place, flags })
  expect(usableServers(found).map((one) => 'command' in one && one.command)).toEqual([
    'a1',
    'b2',
    'c3',
  ])
  expect(found.problems).toEqual([`${join(place.folder, 'gone.json')} does not exist`])
})

test('what is wrong is one line each and keeps nothing else from being used [D29.5]', async () => {
  await using place = await testPlace()
  await place.putUser({
    servers: [
      { name: 'good', command: 'x' },
      { name: 'unset', command: 'x', env: { A: '${GONE}' } },
      { name: 'bad', url: 'https://x.example/${input:key}' },
      { name: 'wrong', command: 7, env: { TOKEN: 'hush-hush' } },
      { command: 'nameless' },
      'text',
      { name: 'good', command: 'y' },
    ],
  })
  await place.putProject('{"mcpServers": ')
  const found = await readServers(place)
  expect(usableServers(found)).toMatchObject([{ name: 'good', command: 'y' }])
  const lines = warningsOf(found, 'en')
  expect(lines).toHaveLength(7)
  expect(lines.join('\n')).toContain('the variable GONE is not set')
  expect(lines.join('\n')).toContain('"${input:key" is not a reference')
  expect(lines.join('\n')).toContain('line 1: expected a value')
  expect(lines.filter((line) => /[\r\n]|hush/.test(line))).toEqual([])
  const chinese = await readServers({ ...place, lang: 'zh' })
  expect(warningsOf(chinese, 'zh').join('\n')).toContain('未设置变量 GONE')
})

test('what is no readable text file is told and never waited for', async () => {
  await using place = await testPlace()
  const at = (name: string) => join(place.folder, name)
  execFileSync('mkfifo', [at('pipe')])
  await mkdir(at('folder'))
  await place.put(at('binary'), '\0\0\0')
  await place.put(at('latin'), '')
  await place.put(at('large'), ' '.repeat(1024 * 1024 + 1))
  await symlink('/dev/zero', at('device'))
  await symlink('loop', at('loop'))
  await place.put(at('scalar'), '7')
  await place.put(at('many'), { servers: new Array(300).fill(0) })
  const names = ['pipe', 'folder', 'binary', 'large', 'device', 'loop', 'scalar', 'many']
  const found = await readServers({ ...place, flags: { mcpConfigs: names } })
  expect(found.problems).toEqual([
    `${at('pipe')} is not a file`,
    `${at('folder')} is not a file`,
    `${at('binary')} is not a text file`,
    `${at('large')} is larger than 1 MiB and was not read`,
    `${at('device')} is not a file`,
    `${at('loop')} cannot be read: check its permissions`,
    `${at('scalar')} has neither a list "servers" nor an object "mcpServers"`,
    `${at('many')} has more than 200 servers: the others are left out`,
  ])
})

test('an agent whose id is no name of a folder has no file', async () => {
  await using place = await testPlace()
  await place.putUser({ mcpServers: { a: { command: 'x' } } })
  const found = await readServers({ ...place, assistant_id: '../main' })
  expect(found.servers).toEqual([])
  expect(found.problems).toHaveLength(1)
})

test('a name or a reference of any length is told in a short line', async () => {
  await using place = await testPlace()
  const long = 'n'.repeat(100_000)
  const servers = [{ name: long }, { name: long }, { name: 'a', command: `\${${long}}` }]
  await place.putUser({ servers })
  const lines = warningsOf(await readServers(place), 'en')
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line.length).toBeLessThan(600)
})
