import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConnectionTestResult, ServerInfo, ServerList } from '@dataagent/schema'
import { createCanary, type HostileHttp, startHostileHttp } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { greeterCommand } from './test-stdio-server.ts'

let server: TestPlatform
let mall: HostileHttp
beforeAll(async () => {
  server = await startTestPlatform()
  mall = await startHostileHttp('none')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

const share = (config: object, as: Person = 'boss', scope?: string) =>
  server.ask<ServerInfo>('POST', '/mcp-servers', { as, json: { config, scope } })
const namesFor = async (as: Person) => {
  const { body } = await server.ask<ServerList>('GET', '/mcp-servers', { as })
  return body.servers.map(({ name }) => name)
}

describe('a shared server', () => {
  test('is added by an administrator and seen by all of the tenant, running [D30.5] [B1.1]', async () => {
    expect((await share({ name: 'mall', url: mall.url }, 'ada')).status).toBe(403)
    const { status, body } = await share({ name: 'mall', url: mall.url })
    expect(status).toBe(201)
    const path = `/mcp-servers/${body.server_id}`
    await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: body.server_id })
    const seen = (await server.ask('GET', path)).body
    expect(seen).toMatchObject({ status: 'running', tool_count: 4, user_id: null, scope: 'tenant' })
    for (const as of ['ada', 'bob', 'eve', 'boss'] as const)
      expect(await namesFor(as)).toContain('mall')
    expect(await namesFor('zoe')).not.toContain('mall')
    expect((await server.ask('GET', path, { as: 'zoe' })).status).toBe(404)
  })

  test('is changed and removed by administrators of the tenant alone', async () => {
    const { body } = await share({ name: 'wiki', url: mall.url, disabled: true })
    const path = `/mcp-servers/${body.server_id}`
    const json = { url: mall.url, disabled: true, description: 'Pages' }
    for (const as of ['ada', 'eve'] as const)
      expect((await server.ask('PUT', path, { as, json })).status).toBe(403)
    expect((await server.ask('PUT', path, { as: 'max', json })).status).toBe(404)
    expect((await server.ask('DELETE', path, { as: 'max' })).status).toBe(404)
    const changed = await server.ask('PUT', path, { as: 'boss', json })
    expect(changed.body).toMatchObject({ name: 'wiki', description: 'Pages', status: 'stopped' })
    expect((await server.ask('DELETE', path, { as: 'boss' })).status).toBe(204)
    expect(await namesFor('ada')).not.toContain('wiki')
  })

  test('for all tenants is the business of the platform', async () => {
    const config = { name: 'everywhere', url: mall.url, disabled: true }
    expect((await share(config, 'boss', 'platform')).status).toBe(403)
    const { body } = await share(config, 'operator', 'platform')
    expect(body.scope).toBe('platform')
    expect(await namesFor('zoe')).toContain('everywhere')
    const path = `/mcp-servers/${body.server_id}`
    expect((await server.ask('DELETE', path, { as: 'boss' })).status).toBe(403)
    expect((await server.ask('DELETE', path, { as: 'operator' })).status).toBe(204)
  })

  test('shows no secret to anyone', async () => {
    const canary = createCanary('header')
    const headers = { Authorization: canary.header }
    const { body } = await share({ name: 'sealed', url: mall.url, headers, disabled: true })
    const answers = await Promise.all(
      (['ada', 'boss', 'eve', 'operator'] as const).flatMap((as) => [
        server.ask('GET', '/mcp-servers', { as }),
        server.ask('GET', `/mcp-servers/${body.server_id}`, { as }),
        server.ask('GET', `/mcp-servers/${body.server_id}/status`, { as }),
        server.ask('GET', '/audit/changes', { as }),
      ]),
    )
    expect(JSON.stringify([body, answers, server.records])).not.toContain(canary.marker)
  })
})

describe('the connection', () => {
  test('is renewed by those whose it is [D31.4]', async () => {
    const { body } = await share({ name: 'renewed', url: mall.url })
    const path = `/mcp-servers/${body.server_id}`
    await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id: body.server_id })
    for (const how of ['reconnect', 'refresh']) {
      const again = await server.ask('POST', `${path}/${how}`, { as: 'boss' })
      expect(again.body).toMatchObject({ statuses: [{ status: 'running', user_id: null }] })
      expect((await server.ask('POST', `${path}/${how}`)).status).toBe(403)
      expect((await server.ask('POST', `${path}/${how}`, { as: 'zoe' })).status).toBe(404)
    }
    const seen = await server.ask('GET', `${path}/status`, { as: 'eve' })
    expect(seen.body).toMatchObject({ statuses: [{ status: 'running' }] })
  })

  test('that cannot be made says why [D31.5]', async () => {
    const { body } = await share({ name: 'away', url: 'http://127.0.0.1:9/mcp' })
    const path = `/mcp-servers/${body.server_id}/reconnect`
    const { status, body: told } = await server.ask('POST', path, { as: 'boss' })
    expect(status).toBe(200)
    expect(told).toMatchObject({ statuses: [{ status: 'error', message: expect.any(String) }] })
  })

  test('of a user with credentials of their own is theirs alone', async () => {
    const config = { name: 'personal', url: mall.url, credentials: 'user' }
    const { body } = await share({ ...config, headers: { 'x-key': 'unused' } })
    const path = `/mcp-servers/${body.server_id}`
    const canary = createCanary('own')
    const json = { headers: { 'x-key': canary.apiKey } }
    const given = () => server.ask('GET', `${path}/credentials`)
    expect((await given()).body).toEqual({ status: 'needed' })
    expect((await server.ask('POST', `${path}/test`)).status).toBe(400)
    expect((await server.ask('PUT', `${path}/credentials`, { json })).status).toBe(204)
    expect((await given()).body).toEqual({ status: 'set' })
    expect((await server.ask('POST', `${path}/test`)).body).toMatchObject({ ok: true })
    const again = await server.ask('POST', `${path}/reconnect`)
    expect(again.body).toMatchObject({ statuses: [{ status: 'running', user_id: 'ada' }] })
    expect((await server.ask('GET', path)).body).toMatchObject({ status: 'running' })
    const others = await server.ask('GET', `${path}/status`, { as: 'bob' })
    expect(others.body).toEqual({ statuses: [] })
    expect(JSON.stringify([again, others, server.records])).not.toContain(canary.marker)
    expect((await server.ask('DELETE', `${path}/credentials`)).status).toBe(204)
    expect((await given()).body).toEqual({ status: 'needed' })
  })
})

describe('a test', () => {
  const run = (config: object, as: Person = 'boss', scope?: string) =>
    server.ask<ConnectionTestResult>('POST', '/mcp-servers/test', { as, json: { config, scope } })

  test('tells each step with its time, and registers nothing', async () => {
    const { body } = await run({ name: 'x', ...greeterCommand }, 'operator', 'platform')
    expect(body).toMatchObject({ ok: true, tool_count: 1 })
    expect(body.steps.map(({ name, status }) => [name, status])).toEqual([
      ['start', 'ok'],
      ['initialize', 'ok'],
      ['list tools', 'ok'],
      ['check schemas', 'ok'],
    ])
    for (const { ms } of body.steps) expect(ms).toBeGreaterThanOrEqual(0)
    expect(await namesFor('boss')).not.toContain('x')
  })

  test('of a stored server uses its secrets, and is for those whose it is', async () => {
    const { body } = await share({ name: 'kept', url: mall.url, disabled: true })
    const path = `/mcp-servers/${body.server_id}/test`
    const tested = await server.ask<ConnectionTestResult>('POST', path, { as: 'boss' })
    expect(tested.body).toMatchObject({ ok: true, tool_count: 4 })
    expect((await server.ask('POST', path)).status).toBe(403)
    expect((await server.ask('POST', path, { as: 'zoe' })).status).toBe(404)
    const credentials = await server.ask('GET', `/mcp-servers/${body.server_id}/credentials`)
    expect(credentials.body).toEqual({ status: 'not_taken' })
  })

  test('of a stored server tells none of its secrets, whatever the server says', async () => {
    const canary = createCanary('variable')
    const program = "console.error('key ' + process.env.KEY.split(' ')[1]); process.exit(1)"
    const env = { KEY: `Bearer ${canary.apiKey}` }
    const command = { command: process.execPath, args: ['-e', program], env }
    const config = { name: 'chatty', disabled: true, ...command }
    const { body } = await share(config, 'operator', 'platform')
    const path = `/mcp-servers/${body.server_id}/test`
    const tested = await server.ask<ConnectionTestResult>('POST', path, { as: 'operator' })
    expect(tested.body.ok).toBe(false)
    expect(tested.body.log?.at(-1)).toBe('key ***')
    expect(JSON.stringify(tested.body)).not.toContain(canary.marker)
  })

  test('tells which step failed', async () => {
    const { status, body } = await run({ name: 'x', url: 'http://127.0.0.1:9/mcp' })
    expect(status).toBe(200)
    expect(body.ok).toBe(false)
    expect(body.steps.find((step) => step.status === 'failed')?.message).toBeTruthy()
  })

  test('of what is shared is for administrators; a user reaches public addresses alone', async () => {
    const config = { name: 'x', url: mall.url }
    expect((await run(config, 'ada', 'tenant')).status).toBe(403)
    expect((await run(config, 'boss', 'platform')).status).toBe(403)
    expect((await run(config, 'boss', 'tenant')).body.ok).toBe(true)
    await using strict = await startTestPlatform({ config: { allowed_addresses: [] } })
    const before = mall.notes('request').length
    const json = { config }
    const { body } = await strict.ask('POST', '/mcp-servers/test', { as: 'ada', json })
    expect(body.ok).toBe(false)
    expect(mall.notes('request')).toHaveLength(before)
  })

  test('of more than three at once is refused', async () => {
    await using silent = await startSilent()
    const config = { name: 'x', url: silent.url, timeout: 1 }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => run(config, 'boss', 'tenant')),
    )
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(2)
    expect(refused[0]?.headers.get('retry-after')).toBe('1')
    expect((await run(config, 'boss', 'tenant')).status).toBe(200)
  })
})

/** A server that takes requests and never answers. */
async function startSilent() {
  const http = createServer(() => {})
  await new Promise<void>((resolve) => void http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      http.close()
    },
  }
}
