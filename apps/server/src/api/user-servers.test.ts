import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerInfo, ServerList } from '@dataagent/schema'
import {
  createCanary,
  type HostileCommand,
  hostileServerCommand,
  startHostileHttp,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { greeterCommand } from './test-stdio-server.ts'

const ofAda = '/users/ada/mcp-servers'

let server: TestPlatform
let command: HostileCommand
beforeAll(async () => {
  server = await startTestPlatform({ config: { allowed_addresses: ['127.0.0.1'] } })
  command = await hostileServerCommand('none')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await command[Symbol.asyncDispose]()
})

const approve = (templates: unknown[]) =>
  server.ask('PUT', '/mcp-servers/templates', { as: 'operator', json: { templates } })

describe('a user who adds a server', () => {
  test('lists, adds, changes and removes it by name [D30.1] [D30.2]', async () => {
    const json = { name: 'docs', url: 'http://127.0.0.1:9/mcp', disabled: true }
    const added = await server.ask<ServerInfo>('POST', ofAda, { json })
    expect(added).toMatchObject({ status: 201, body: { name: 'docs', user_id: 'ada' } })
    const listed = await server.ask<ServerList>('GET', ofAda)
    expect(listed.body.servers.map(({ name }) => name)).toContain('docs')
    const change = { url: 'http://127.0.0.1:9/other', disabled: true }
    const changed = await server.ask('PUT', `${ofAda}/docs`, { json: change })
    expect(changed).toMatchObject({ status: 200, body: { name: 'docs', url: change.url } })
    expect((await server.ask('DELETE', `${ofAda}/docs`)).status).toBe(204)
    expect((await server.ask('GET', `${ofAda}/docs`)).status).toBe(404)
  })

  test('never sees a secret again, and keeps it by sending its view back [D30.1]', async () => {
    const canary = createCanary('header')
    const url = 'http://127.0.0.1:9/mcp'
    const json = { name: 'sealed', url, disabled: true, headers: { Authorization: canary.header } }
    const added = await server.ask<ServerInfo>('POST', ofAda, { json })
    if (added.body.transport === 'stdio') throw new Error('not remote')
    const { headers } = added.body
    expect(headers.Authorization).toMatchObject({ set: true })
    const again = { url, disabled: true, headers }
    const changed = await server.ask('PUT', `${ofAda}/sealed`, { json: again })
    expect(changed.body).toMatchObject({ headers })
    const one = await server.ask('GET', `${ofAda}/sealed`)
    expect(JSON.stringify([added, changed, one])).not.toContain(canary.marker)
    await server.ask('DELETE', `${ofAda}/sealed`)
  })

  test('is told of a name that is taken, and of a field that is wrong', async () => {
    const json = { name: 'twice', url: 'http://127.0.0.1:9/mcp', disabled: true }
    await server.ask('POST', ofAda, { json })
    expect((await server.ask('POST', ofAda, { json })).status).toBe(409)
    const wrong = await server.ask('POST', ofAda, { json: { name: 'x', transport: 'pigeon' } })
    expect(wrong).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } })
    await server.ask('DELETE', `${ofAda}/twice`)
  })

  test('may have so many, and the refusal names the limit [D31.2] [D30.1]', async () => {
    const ofBob = '/users/bob/mcp-servers'
    const add = (name: string) =>
      server.ask('POST', ofBob, {
        as: 'bob',
        json: { name, url: 'http://127.0.0.1:9/mcp', disabled: true },
      })
    const answers = await Promise.all(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7'].map(add))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(2)
    for (const { status, body } of refused) {
      expect(status).toBe(429)
      const details = { limit: 'mcp_servers_per_user', max: 5 }
      expect(body).toMatchObject({ error_code: 'quota_exceeded', details })
      expect(body.message).toContain('mcp_servers_per_user')
    }
  })
})

describe('another person', () => {
  test("finds none of a user's servers; an administrator does, and is noted [D30.1]", async () => {
    const json = { name: 'mine', url: 'http://127.0.0.1:9/mcp', disabled: true }
    await server.ask('POST', ofAda, { json })
    for (const as of ['bob', 'zoe', 'max'] as const)
      expect((await server.ask('GET', ofAda, { as })).status).toBe(404)
    expect((await server.ask('GET', ofAda, { as: 'eve' })).status).toBe(403)
    expect((await server.ask('GET', `${ofAda}/mine`, { as: 'boss' })).status).toBe(200)
    expect((await server.ask('DELETE', `${ofAda}/mine`, { as: 'boss' })).status).toBe(204)
    const { body } = await server.ask<{ changes: { user_id: string; action: string }[] }>(
      ...(['GET', '/audit/changes?kind=server&limit=1', { as: 'eve' }] as const),
    )
    expect(body.changes).toMatchObject([{ user_id: 'boss', action: 'removed' }])
  })

  test('cannot be added servers under a name that nobody has', async () => {
    const json = { name: 'x', url: 'http://127.0.0.1:9/mcp' }
    const answer = await server.ask('POST', '/users/nobody/mcp-servers', { as: 'boss', json })
    expect(answer.status).toBe(404)
  })
})

describe('what a user may start', () => {
  const marker = () => join(server.dir, 'started')
  const touch = () => `require('node:fs').writeFileSync(${JSON.stringify(marker())}, '')`
  const commands = (): [string, Record<string, unknown>][] => [
    ['npx -c', { command: 'npx', args: ['-c', `touch ${marker()}`] }],
    ['npx -y package', { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] }],
    ['node -e', { command: process.execPath, args: ['-e', touch()] }],
    ['node --eval=', { command: process.execPath, args: [`--eval=${touch()}`] }],
    ['a shell', { command: '/bin/sh', args: ['-c', `touch ${marker()}`] }],
    ['a relative path', { command: './started.sh' }],
    ['a bare name', { command: 'touch', args: [marker()] }],
    ['a newline in an argument', { command: 'echo', args: [`x\ntouch ${marker()}`] }],
    ['more arguments than approved', { ...approvedCommand(), args: [...command.args, '-e'] }],
    ['an environment', { ...approvedCommand(), env: { NODE_OPTIONS: '--require=/x' } }],
    ['another folder', { ...approvedCommand(), cwd: '/tmp' }],
  ]
  const approvedCommand = () => ({ command: command.command, args: command.args })

  test('no command but an approved one, by adding, changing or testing [D30.1] [D30.3] [T1]', async () => {
    await approve([{ name: 'hostile', ...approvedCommand() }])
    const disabled = { name: 'allowed', disabled: true, ...approvedCommand() }
    expect((await server.ask('POST', ofAda, { json: disabled })).status).toBe(201)
    for (const [what, config] of commands()) {
      const json = { name: 'evil', ...config }
      const added = await server.ask('POST', ofAda, { json })
      const changed = await server.ask('PUT', `${ofAda}/allowed`, { json: config })
      const tested = await server.ask('POST', '/mcp-servers/test', { json: { config: json } })
      for (const { status, body } of [added, changed, tested]) {
        expect([what, status, body.error_code]).toEqual([what, 403, 'forbidden'])
      }
    }
    expect(existsSync(marker())).toBe(false)
    expect(command.notes('start')).toEqual([])
    await server.ask('DELETE', `${ofAda}/allowed`)
  })

  test('importing reads alone: nothing is started or stored [T1]', async () => {
    const before = await server.ask('GET', ofAda)
    for (const [, { command: program, args }] of commands()) {
      const mcpServers = { evil: { command: program, args } }
      const json = { text: JSON.stringify({ mcpServers }) }
      const { status, body } = await server.ask('POST', '/mcp-servers/import', { json })
      expect(status).toBe(200)
      expect(body).toMatchObject({ form: 'mcpServers', entries: [{ name: 'evil' }] })
    }
    expect(existsSync(marker())).toBe(false)
    expect((await server.ask('GET', ofAda)).body).toEqual(before.body)
  })

  test('an approved command is started, and no more once it is taken back', async () => {
    await approve([{ name: 'greeter', ...greeterCommand }])
    const json = { name: 'local', ...greeterCommand }
    const { body } = await server.ask<ServerInfo>('POST', ofAda, { json })
    const again = `/mcp-servers/${body.server_id}/reconnect`
    const status = await server.ask('POST', again)
    expect(status.body).toMatchObject({ statuses: [{ status: 'running', user_id: 'ada' }] })
    const one = await server.ask('GET', `${ofAda}/local`)
    expect(one.body).toMatchObject({ status: 'running', tool_count: 1 })
    await approve([])
    const ended = await server.ask('GET', `${ofAda}/local`)
    expect(ended.body).toMatchObject({ status: 'stopped', disabled: true })
    expect((await server.ask('POST', again)).status).toBe(403)
    const refused = await server.ask('POST', ofAda, { json: { ...json, name: 'other' } })
    expect(refused.status).toBe(403)
    await server.ask('DELETE', `${ofAda}/local`)
  })

  const inSession = async (user_id: string, name: string) => {
    const { hub } = server.platform
    const mark = `${user_id}-${name}-${process.pid}`
    const config = { name, command: greeterCommand.command, args: [...greeterCommand.args, mark] }
    const by = { tenant_id: 'acme', user_id, role: 'user' } as const
    const { server_id } = await hub.servers.register(by, { scope: 'user', config })
    await hub.sessions.open({ tenant_id: 'acme', user_id, session_id: `of-${mark}` })
    await hub.upstreams.reconnect({ tenant_id: 'acme', server_id, user_id })
    const editions = () => hub.servers.editions().filter((one) => one.user_id === user_id)
    const isRunning = async () => (await commandLines()).some((line) => line.includes(mark))
    return { by, server_id, config, editions, isRunning }
  }
  const marked = {
    ...{ name: 'greeter', command: greeterCommand.command },
    ...{ args: [...greeterCommand.args, '{mark}'], params: { mark: '[a-z0-9-]+' } },
  }

  test('what a session still has of it ends too, whatever its user did since', async () => {
    const { hub } = server.platform
    await approve([marked])
    const disabled = await inSession('cleo', 'disabled')
    const off = { ...disabled.config, disabled: true }
    await hub.servers.update(disabled.by, disabled.server_id, off)
    const moved = await inSession('dora', 'moved')
    const away = { name: 'moved', url: 'http://127.0.0.1:9/mcp', disabled: true }
    await hub.servers.update(moved.by, moved.server_id, away)
    const removed = await inSession('emil', 'removed')
    await hub.servers.remove(removed.by, removed.server_id)
    const all = [disabled, moved, removed]
    for (const { editions, isRunning } of all) {
      expect(editions()).toHaveLength(1)
      expect(await isRunning()).toBe(true)
    }
    await approve([])
    for (const { editions, isRunning } of all) {
      expect(editions()).toEqual([])
      await waitFor(async () => !(await isRunning()), { timeoutMs: 25_000 })
    }
    expect(hub.servers.get('acme', moved.server_id)?.config).toMatchObject({ url: away.url })
    expect(hub.servers.get('acme', removed.server_id)).toBeUndefined()
    await using other = await startTestPlatform({ dir: server.dir })
    expect(other.platform.hub.servers.editions()).toEqual([])
    expect(other.platform.hub.servers.get('acme', removed.server_id)).toBeUndefined()
  })

  test("a user of another tenant with the operator's name has not done it herself", async () => {
    await approve([marked])
    const { server_id, editions, isRunning } = await inSession('operator', 'same')
    expect(await isRunning()).toBe(true)
    await approve([])
    expect(editions()).toEqual([])
    await waitFor(async () => !(await isRunning()), { timeoutMs: 25_000 })
    const { body } = await server.ask<{ changes: unknown[] }>(
      ...(['GET', '/audit/changes?kind=server&limit=1', { as: 'eve' }] as const),
    )
    const by = { user_id: 'operator', by_tenant: 'default', role: 'platform_admin' }
    expect(body.changes).toMatchObject([{ ...by, target: server_id, action: 'disabled' }])
  })

  test('what is approved is so in every process within a second', async () => {
    await using other = await startTestPlatform({ dir: server.dir })
    const json = { config: { name: 'local', ...greeterCommand } }
    const tested = () => other.ask('POST', '/mcp-servers/test', { json })
    expect((await tested()).status).toBe(403)
    await approve([{ name: 'greeter', ...greeterCommand }])
    await waitFor(async () => (await tested()).status === 200)
    await approve([])
    await waitFor(async () => (await tested()).status === 403)
  })

  test('a template that cannot be right is refused, and only the platform sets any', async () => {
    const wrong = await approve([{ name: 'x', command: 'npx', args: ['{pkg}'] }])
    expect(wrong).toMatchObject({ status: 400, body: { error_code: 'invalid_request' } })
    const json = { templates: [] }
    for (const as of ['ada', 'boss', 'eve'] as const)
      expect((await server.ask('PUT', '/mcp-servers/templates', { as, json })).status).toBe(403)
    const listed = await server.ask('GET', '/mcp-servers/templates')
    expect(listed).toMatchObject({ status: 200, body: { templates: [] } })
  })
})

describe('global defaults', () => {
  test("a user's server stands before a shared one of the same name [D30.5]", async () => {
    await using shared = await startHostileHttp('none')
    await using own = await startHostileHttp('none')
    const json = { config: { name: 'wiki', url: shared.url } }
    const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
    expect(added.status).toBe(201)
    const names = async () => {
      const { body } = await server.ask<ServerList>('GET', '/mcp-servers')
      return body.servers.map(({ name }) => name)
    }
    expect(await names()).toContain('wiki')
    await server.ask('POST', ofAda, { json: { name: 'wiki', url: own.url } })
    expect(await names()).not.toContain('wiki')
    const boss = await server.ask<ServerList>('GET', '/mcp-servers', { as: 'boss' })
    expect(boss.body.servers.map(({ name }) => name)).toContain('wiki')
    const { body } = await server.ask<ServerInfo>('GET', `${ofAda}/wiki`)
    await server.ask('POST', `/mcp-servers/${body.server_id}/reconnect`)
    const tools = () => server.ask<{ tools: { server_id: string }[] }>('GET', '/tools?q=wiki')
    await waitFor(async () => (await tools()).body.tools.length === 4, { timeoutMs: 10_000 })
    const owners = new Set((await tools()).body.tools.map(({ server_id }) => server_id))
    expect([...owners]).toEqual([body.server_id])
    await server.ask('DELETE', `${ofAda}/wiki`)
  })
})

test('what was added is there after a restart [D30.3]', async () => {
  const json = { name: 'kept', url: 'http://127.0.0.1:9/mcp', disabled: true }
  await server.ask('POST', ofAda, { json })
  await server.stop()
  await using next = await startTestPlatform({ dir: server.dir })
  const { body } = await next.ask('GET', `${ofAda}/kept`)
  expect(body).toMatchObject({ name: 'kept', url: json.url })
})

/** Of all processes of this machine. */
async function commandLines(): Promise<string[]> {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  return Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')))
}
