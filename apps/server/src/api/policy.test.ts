import type { ServerInfo } from '@dataagent/schema'
import { type HostileHttp, startHostileHttp } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Person, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

let server: TestPlatform
let mall: HostileHttp
let server_id: string
beforeAll(async () => {
  server = await startTestPlatform()
  mall = await startHostileHttp('none')
  const json = { config: { name: 'mall', url: mall.url } }
  const added = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  server_id = added.body.server_id
  await server.platform.hub.whenOffered({ tenant_id: 'acme', server_id })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await mall[Symbol.asyncDispose]()
})

const echo = async (as: Person) => {
  const json = { tool: 'mall.echo', args: { message: 'hi' } }
  return (await server.ask('POST', '/tools/call', { as, json })).status
}

describe('bindings', () => {
  const ofAda = '/policy/bindings/user/ada'

  test('hold a subject to their tools, until they are cleared [A2.1]', async () => {
    expect((await server.ask('GET', ofAda, { as: 'boss' })).status).toBe(404)
    const json = { entries: [{ server_id, tool: 'touch' }] }
    const set = await server.ask('PUT', ofAda, { as: 'boss', json })
    expect(set.body).toMatchObject({ subject: { kind: 'user', id: 'ada' }, ...json })
    expect([await echo('ada'), await echo('bob')]).toEqual([403, 200])
    expect((await server.ask('GET', ofAda, { as: 'boss' })).body).toEqual(set.body)
    expect((await server.ask('DELETE', ofAda, { as: 'boss' })).status).toBe(204)
    expect(await echo('ada')).toBe(200)
  })

  test('are an administrator’s business, of their own tenant alone', async () => {
    const json = { entries: [] }
    for (const as of ['ada', 'eve', 'zoe'] as const)
      expect((await server.ask('PUT', ofAda, { as, json })).status).toBe(403)
    expect((await server.ask('PUT', ofAda, { as: 'max', json })).status).toBe(200)
    expect((await server.ask('GET', ofAda, { as: 'boss' })).status).toBe(404)
    expect(await echo('ada')).toBe(200)
  })
})

describe('rules', () => {
  const rules = '/policy/rules'
  const deny = { effect: 'deny', tool: 'echo' }

  test('a user makes rules for themselves; administrators for the tenant', async () => {
    const own = { tier: 'user', subject: { kind: 'user', id: 'bob' }, server_id, ...deny }
    expect((await server.ask('POST', rules, { json: own })).status).toBe(403)
    const made = await server.ask('POST', rules, { as: 'bob', json: own })
    expect(made.status).toBe(201)
    expect([await echo('ada'), await echo('bob')]).toEqual([200, 403])
    const path = `${rules}/${made.body.rule_id}`
    expect((await server.ask('DELETE', path)).status).not.toBe(204)
    expect((await server.ask('DELETE', path, { as: 'bob' })).status).toBe(204)
    expect(await echo('bob')).toBe(200)
  })

  test('of the tenant hold for all of it, and are listed', async () => {
    const all = { tier: 'tenant', subject: { kind: 'user', id: '*' }, server_id, ...deny }
    expect((await server.ask('POST', rules, { json: all })).status).toBe(403)
    const { body } = await server.ask('POST', rules, { as: 'boss', json: all })
    expect([await echo('ada'), await echo('bob')]).toEqual([403, 403])
    const listed = await server.ask<{ rules: object[] }>('GET', rules, { as: 'boss' })
    expect(listed.body.rules).toContainEqual(body)
    const others = await server.ask<{ rules: object[] }>('GET', rules, { as: 'max' })
    expect(others.body.rules).toEqual([])
    await server.ask('DELETE', `${rules}/${body.rule_id}`, { as: 'boss' })
  })
})

describe('limits', () => {
  test('refuse one call too many, and say when to come back', async () => {
    const json = {
      ...{ subject: { kind: 'user', id: 'bob' }, server_id, tool: 'echo' },
      ...{ max_calls: 2, window_ms: 60_000 },
    }
    expect((await server.ask('POST', '/policy/limits', { as: 'bob', json })).status).toBe(403)
    const { status, body } = await server.ask('POST', '/policy/limits', { as: 'boss', json })
    expect(status).toBe(201)
    expect([await echo('bob'), await echo('bob')]).toEqual([200, 200])
    const refused = await server.ask('POST', '/tools/call', {
      as: 'bob',
      json: { tool: 'mall.echo', args: { message: 'hi' } },
    })
    expect(refused).toMatchObject({ status: 429, body: { error_code: 'rate_limited' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
    const listed = await server.ask('GET', '/policy/limits', { as: 'boss' })
    expect(listed.body).toEqual({ limits: [body] })
    const path = `/policy/limits/${body.limit_id}`
    expect((await server.ask('DELETE', path, { as: 'boss' })).status).toBe(204)
    expect(await echo('bob')).toBe(200)
  })
})
