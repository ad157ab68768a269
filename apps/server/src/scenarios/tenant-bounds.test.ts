import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ConnectionTestResult, ProviderTest } from '@dataagent/schema'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { greeterCommand } from '../api/test-stdio-server.ts'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
let inside: Server
let port: number
let asked: string[]
beforeAll(async () => {
  server = await startTestPlatform({
    config: { multi_tenant: true, allowed_addresses: ['127.0.0.2'] },
  })
  asked = []
  inside = createServer((request, response) => {
    asked.push(`${request.url}`)
    response.writeHead(400).end('{"error":{"message":"what only the inside knows"}}')
  })
  await new Promise<void>((resolve) => inside.listen(0, '0.0.0.0', resolve))
  port = (inside.address() as AddressInfo).port
})
afterAll(async () => {
  inside.close()
  await server[Symbol.asyncDispose]()
})

const testServer = (as: Person, config: object, scope = 'tenant') =>
  server.ask<ConnectionTestResult>('POST', '/mcp-servers/test', {
    as,
    json: { scope, config: { name: 'x', ...config } },
  })

test("of several tenants an administrator's commands are those that are approved, in a sandbox [T1]", async () => {
  const config = { name: 'x', ...greeterCommand }
  const ways = [
    testServer('max', greeterCommand),
    testServer('max', greeterCommand, 'user'),
    server.ask('POST', '/mcp-servers', { as: 'max', json: { config } }),
    server.ask('POST', '/users/max/mcp-servers', { as: 'max', json: config }),
    server.ask('POST', '/users/zoe/mcp-servers', { as: 'max', json: config }),
  ]
  for (const { status } of await Promise.all(ways)) expect(status).toBe(403)
  const [flag, program] = greeterCommand.args as [string, string]
  const isHidden = `require('node:fs').existsSync(${JSON.stringify(server.dir)}) ? [] : [`
  const args = [flag, program.replace('tools: [', `tools: ${isHidden}`)]
  const json = { templates: [{ name: 'greeter', command: greeterCommand.command, args }] }
  await server.ask('PUT', '/mcp-servers/templates', { as: 'operator', json })
  const approved = await testServer('max', { ...greeterCommand, args })
  expect(approved.body).toMatchObject({ ok: true, tool_count: 1 })
})

/** The greeter, which asks `inside` for a path before it answers. */
function curiousCommand(path: string) {
  const [flag, program] = greeterCommand.args as [string, string]
  const ask = `const asked = new Promise((done) =>
    require('node:http').get('http://127.0.0.1:${port}${path}', done).on('error', done))`
  const waits = program.replace('(line) => {', 'async (line) => { await asked')
  return { command: greeterCommand.command, args: [flag, `${ask}\n${waits}`] }
}

test('an approved command of a tenant has a network only where its template says so', async () => {
  const [alone, connected] = [curiousCommand('/alone'), curiousCommand('/connected')]
  const templates = [
    { name: 'alone', ...alone },
    { name: 'connected', ...connected, network: true },
  ]
  await server.ask('PUT', '/mcp-servers/templates', { as: 'operator', json: { templates } })
  for (const command of [alone, connected]) {
    expect((await testServer('max', command)).body).toMatchObject({ ok: true, tool_count: 1 })
  }
  expect(asked).not.toContain('/alone')
  expect(asked).toContain('/connected')
  asked = []
})

async function tryProvider(provider_id: string, base_url: string): Promise<ProviderTest> {
  const json = { provider_id, name: 'Near', kind: 'openai', base_url, api_key: 'k', models: ['m'] }
  await server.ask('POST', '/model-providers', { as: 'max', json })
  const path = `/model-providers/${provider_id}/test`
  return (await server.ask<ProviderTest>('POST', path, { as: 'max', json: {} })).body
}

test('of several tenants none reaches what is inside, by a server or by a model provider [T4]', async () => {
  const refused = await testServer('max', { url: `http://127.0.0.1:${port}/mcp` })
  expect(JSON.stringify(refused.body)).toContain('only public addresses may be reached')
  const tried = await tryProvider('near', `http://127.0.0.1:${port}`)
  expect(tried).toMatchObject({ ok: false, message: expect.stringContaining('loopback') })
  expect(asked).toEqual([])
})

test('what a provider of a tenant has answered is not quoted', async () => {
  const tried = await tryProvider('allowed', `http://127.0.0.2:${port}`)
  expect(tried.message).toBe('The provider did not accept the request. (HTTP 400)')
})

test('what the platform shares may be inside', async () => {
  asked = []
  await testServer('operator', { url: `http://127.0.0.1:${port}/mcp` }, 'platform')
  expect(asked).toContain('/mcp')
})
