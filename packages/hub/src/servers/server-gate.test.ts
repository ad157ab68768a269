import { access, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAs, serverConfigSchema } from '@dataagent/schema'
import { temporaryDirectory } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { parsePaste } from '../paste/index.ts'
import type { Principal } from '../principal.ts'
import type { CommandTemplate } from './command-template.ts'
import { createServerGate } from './server-gate.ts'
import { admin, ana, createTestServers, failureOf, platformAdmin } from './test-servers.ts'

const files: CommandTemplate = {
  name: 'files',
  command: 'npx',
  args: ['-y', '@modelcontextprotocol/server-filesystem', '/data/{folder}', '--mode={mode}'],
  params: { folder: '[\\w./-]+', mode: 'ro|rw' },
  env: ['LOG_LEVEL'],
}
const anything: CommandTemplate = {
  ...{ name: 'anything', command: '/usr/bin/tool', args: ['run', '{word}', '{word}'] },
  params: { word: '(?s).*' },
}
const gate = createServerGate({ templates: [files, anything] })

const filesArgs = (folder: string, mode = 'ro') => [
  ...['-y', '@modelcontextprotocol/server-filesystem', `/data/${folder}`, `--mode=${mode}`],
]
const toConfig = (fields: object) => parseAs(serverConfigSchema, { name: 'a', ...fields }, 'server')
const check = async (principal: Principal, fields: object) =>
  gate.check(principal, toConfig(fields), 'user')

test.each([
  { command: 'npx', args: filesArgs('reports') },
  { command: 'npx', args: filesArgs('a/b.c', 'rw'), env: { LOG_LEVEL: 'debug' } },
  { command: '/usr/bin/tool', args: ['run', 'same', 'same'] },
])('a user may start what a template allows: $args', async (command) => {
  await check(ana, command)
})

/** Each would leave the canary file where it ran. */
const payloads = (canary: string, link: string) => ({
  'npx -c': { command: 'npx', args: ['-c', `touch ${canary}`] },
  'node -e': { command: 'node', args: ['-e', `fs.writeFileSync('${canary}','')`] },
  '--exec': { command: 'npx', args: [...filesArgs('a'), `--exec=touch ${canary}`] },
  'an option in the place of a value': {
    command: '/usr/bin/tool',
    args: ['run', '--exec', '--exec'],
  },
  'a shell': { command: '/bin/sh', args: ['-c', `touch ${canary}`] },
  '$(…) in a value': { command: 'npx', args: filesArgs(`$(touch ${canary})`) },
  'backticks in a value': { command: 'npx', args: filesArgs(`\`touch ${canary}\``) },
  'a line break in a value': {
    command: '/usr/bin/tool',
    args: ['run', `a\ntouch ${canary}`, `a\ntouch ${canary}`],
  },
  'a line break behind an argument': { command: 'npx', args: filesArgs(`a`, `ro\ntouch`) },
  'a way out of the folder': { command: 'npx', args: filesArgs('../etc') },
  'two values for one place': { command: '/usr/bin/tool', args: ['run', 'a', 'b'] },
  'an argument more': { command: 'npx', args: [...filesArgs('a'), 'b'] },
  'an argument less': { command: 'npx', args: filesArgs('a').slice(0, 3) },
  'only the first words': {
    command: 'npx',
    args: ['-y', '@modelcontextprotocol/server-filesystem'],
  },
  'another package': { command: 'npx', args: filesArgs('a').with(1, 'evil-package') },
  'a relative path': { command: './npx', args: filesArgs('a') },
  'the path of the same program': { command: '/usr/bin/npx', args: filesArgs('a') },
  'a symlink to it': { command: link, args: filesArgs('a') },
  'a command with its arguments': { command: `npx ${filesArgs('a').join(' ')}`, args: [] },
  'another case': { command: 'NPX', args: filesArgs('a') },
  NODE_OPTIONS: {
    ...{ command: 'npx', args: filesArgs('a') },
    env: { NODE_OPTIONS: `--import data:text/javascript,touch('${canary}')` },
  },
  LD_PRELOAD: { command: 'npx', args: filesArgs('a'), env: { LD_PRELOAD: canary } },
  'a folder of their own to run in': { command: 'npx', args: filesArgs('a'), cwd: '/tmp' },
})

const names = Object.keys(payloads('', ''))

test.each(names)('%s is refused to users by every way in [T1]', async (name) => {
  await using directory = await temporaryDirectory()
  const canary = join(directory.path, 'canary')
  const link = join(directory.path, 'npx')
  await symlink(process.execPath, link)
  const { servers } = createTestServers({ gate })
  const payload = payloads(canary, link)[name as 'npx -c']
  const config = { name: 'a', ...payload }
  const innocent = { name: 'a', command: 'npx', args: filesArgs('a') }
  const own = await servers.register(ana, { scope: 'user', config: innocent })

  const ways: Record<string, () => Promise<unknown>> = {
    register: () => servers.register(ana, { scope: 'user', config: { ...config, name: 'b' } }),
    update: () => servers.update(ana, own.server_id, config),
    test: () => check(ana, payload),
    import: async () => {
      const [entry] = parsePaste(JSON.stringify({ mcpServers: { c: payload } })).entries
      if (entry?.status !== 'new') throw new Error('not read')
      return servers.register(ana, { scope: 'user', config: entry.config })
    },
  }
  for (const [way, go] of Object.entries(ways)) {
    expect((await failureOf(go())).code, way).toBe('forbidden')
  }
  expect(servers.visibleTo(ana)).toEqual([own])
  await expect(access(canary)).rejects.toThrow()
})

test.each(names)('%s is what administrators may register, and nothing runs', async (name) => {
  await using directory = await temporaryDirectory()
  const canary = join(directory.path, 'canary')
  const { servers } = createTestServers({ gate })
  const config = { name: 'a', ...payloads(canary, '/x')[name as 'npx -c'] }
  await servers.register(admin, { scope: 'tenant', config })
  await servers.register(platformAdmin, { scope: 'platform', config })
  await expect(access(canary)).rejects.toThrow()
})

test('without templates a user may start nothing, and is told what to do', async () => {
  const { servers } = createTestServers()
  const config = { name: 'a', command: 'npx', args: filesArgs('a') }
  const failure = await failureOf(servers.register(ana, { scope: 'user', config }))
  expect(failure.message).toContain('only an administrator may start any command')
})

test('users reach addresses by http and https, without a proxy [T7]', async () => {
  await check(ana, { url: 'http://mcp.example' })
  await check(ana, { url: 'https://mcp.example', transport: 'sse' })
  const proxied = { url: 'https://mcp.example', proxy: 'http://proxy.example' }
  expect((await failureOf(check(ana, proxied))).code).toBe('forbidden')
  await check(admin, proxied)
})

test('an administrator may keep users to https, or from URLs at all', async () => {
  const config = toConfig({ url: 'http://mcp.example' })
  const strict = createServerGate({ allowUserUrls: 'https' })
  expect(() => strict.check(ana, config, 'user')).toThrow('must begin with https://')
  const closed = createServerGate({ allowUserUrls: 'none' })
  expect(() => closed.check(ana, config, 'user')).toThrow('added by administrators')
  await closed.check(admin, config, 'tenant')
})

test.each([
  [{ ...files, params: { folder: '.*' } }, 'has no pattern for {mode}'],
  [{ ...files, params: { folder: '(', mode: 'x' } }, 'a pattern that cannot be read'],
])('a template that cannot be used stops the start', (template, told) => {
  expect(() => createServerGate({ templates: [template] })).toThrow(told)
})

test('where tenants do not trust each other, their administrators are held to the templates too [T1, T7]', () => {
  const strict = createServerGate({ adminCommands: 'platform', templates: [files] })
  const ask = (principal: Principal, fields: object) => () =>
    strict.check(principal, toConfig(fields), 'tenant')
  const shell = { command: '/bin/sh', args: ['-c', 'id'] }
  const proxied = { url: 'https://mcp.example', proxy: 'http://10.0.0.1:3128' }
  expect(ask(admin, shell)).toThrow('approved are: files')
  expect(ask(admin, proxied)).toThrow('a proxy is set by administrators')
  expect(ask(admin, { command: 'npx', args: filesArgs('a') })).not.toThrow()
  expect(ask(platformAdmin, shell)).not.toThrow()
  expect(ask(platformAdmin, proxied)).not.toThrow()
})
