import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { ChatResponse, ServerInfo, Tenant, TenantList } from '@dataagent/schema'
import { type RecordedRequest, startHostileHttp, toolRounds } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { loadConfig } from '../config/index.ts'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

function multiTenantBy(env: Record<string, string>): boolean {
  const loaded = loadConfig({ argv: [], env })
  if (loaded.status !== 'ok') throw new Error('these settings do not hold')
  return loaded.config.multi_tenant
}

const initech = {
  ...{ tenant_id: 'initech', name: 'Initech', max_users: 3, max_sessions_per_user: 5 },
  ...{ max_mcp_servers: 2, workspace_quota: 1_000_000, features_enabled: ['*'] },
}

test('DATAAGENT_MULTI_TENANT=true lets the platform add tenants, each with its limits [D35.1] [D35.2]', async () => {
  const multi_tenant = multiTenantBy({ DATAAGENT_MULTI_TENANT: 'true' })
  await using server = await startTestPlatform({ config: { multi_tenant } })
  const added = await server.ask<Tenant>('POST', '/tenants', { as: 'operator', json: initech })
  expect(added).toMatchObject({ status: 201, body: initech })
  const { body } = await server.ask<TenantList>('GET', '/tenants', { as: 'operator' })
  expect(body.tenants.map(({ tenant_id }) => tenant_id)).toContain('initech')
})

/** A model that writes a file, whether it may or not, and then uses `echo` where it is offered. */
function writesThenEchoes({ tools, ...request }: RecordedRequest) {
  const rounds = toolRounds({ tools, ...request })
  const echo = tools.find(({ name }) => name.endsWith('--echo'))
  if (rounds === 0) {
    const written = { path: 'files/x.txt', content: 'x' }
    return { toolCalls: [{ name: 'write_file', arguments: written }] }
  }
  if (rounds > 1 || !echo) return { text: 'Done.' }
  return { toolCalls: [{ name: echo.name, arguments: { message: 'hello' } }] }
}

/** One turn: how its tools went, and what the model was offered. */
async function say(server: TestPlatform, as: Person) {
  const json = { message: 'Go on' }
  const { body } = await server.ask<ChatResponse>('POST', '/chat', { as, json })
  const offered = server.model.requests.at(-1)?.tools.map(({ name }) => name) ?? []
  const results = body.events.filter(({ event_type }) => event_type === 'tool_result')
  return {
    offered: offered.filter((name) => name === 'write_file' || name.endsWith('--echo')),
    statuses: results.map((result) => (result as { status?: string }).status),
  }
}

test('what a tenant has switched off its agents neither see nor can use; others can [D35.5]', async () => {
  await using server = await startTestPlatform({ script: writesThenEchoes })
  await using mall = await startHostileHttp('none')
  const json = { scope: 'platform', config: { name: 'mall', url: mall.url } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'operator', json })
  await server.platform.hub.whenOffered({ tenant_id: '*', server_id: added.body.server_id })
  const all = { offered: ['write_file', 'mall--echo'], statuses: ['success', 'success'] }
  expect(await say(server, 'bob')).toEqual(all)

  const features_enabled = ['*', '-tool:write_file', '-mcp:mall']
  await server.ask('PATCH', '/tenants/acme', { as: 'operator', json: { features_enabled } })
  expect(await say(server, 'ada')).toEqual({ offered: [], statuses: ['error'] })
  await expect(access(join(server.dir, 'workspaces/@acme/ada/files/x.txt'))).rejects.toThrow()
  expect(await say(server, 'zoe')).toEqual(all)
})
