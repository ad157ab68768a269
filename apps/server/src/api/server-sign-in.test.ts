import type { ServerInfo, ServerSignInBegun } from '@dataagent/schema'
import {
  type AuthorizationServerStandIn,
  type BrowserAnswer,
  type ProtectedResourceStandIn,
  startAuthorizationServer,
  startProtectedResource,
} from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  keyOf,
  type Person,
  startTestPlatform,
  type TestPlatform,
} from '../testing/test-platform.ts'

let server: TestPlatform
let authorization: AuthorizationServerStandIn
let resource: ProtectedResourceStandIn
let path: string
beforeAll(async () => {
  server = await startTestPlatform()
  authorization = await startAuthorizationServer()
  resource = await startProtectedResource({
    issuers: () => [authorization.issuer],
    verify: authorization.verify,
    answer: ({ method }) => (method ? answers[method] : undefined),
  })
  const json = { config: { name: 'guarded', url: resource.url } }
  const { body } = await server.ask<ServerInfo>('POST', '/mcp-servers', { as: 'boss', json })
  path = `/mcp-servers/${body.server_id}`
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await resource[Symbol.asyncDispose]()
  await authorization[Symbol.asyncDispose]()
})

const answers: Record<string, object> = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'guarded', version: '1' },
  },
  'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }] },
  ping: {},
}

/**
 * Where the browser of a person is sent when it comes back from the authorization server. Coming
 * from another site it sends no cookie; going on from our page it does.
 */
async function comeBack(as: Person, answer: BrowserAnswer): Promise<string | null> {
  const query = new URLSearchParams(answer as Record<string, string>)
  const page = await server.ask<string>('GET', `/oauth/callback?${query}`, { as: null })
  expect([page.status, page.headers.get('set-cookie')]).toEqual([200, null])
  const [, next = ''] = /<meta http-equiv="refresh" content="0;url=([^"]*)">/.exec(page.body) ?? []
  const path = next.replaceAll('&amp;', '&').replace('/api/v1', '')
  const headers = { cookie: await cookieOf(as) }
  const finished = await server.ask('GET', path, { as: null, headers, redirect: 'manual' })
  expect(finished.status).toBe(302)
  return finished.headers.get('location')
}

async function cookieOf(as: Person): Promise<string> {
  const json = { api_key: keyOf(as) }
  const { headers } = await server.ask('POST', '/sign-in', { as: null, json })
  const [cookie = ''] = headers.getSetCookie()
  expect(cookie).toContain('SameSite=Strict')
  return cookie.split(';', 1)[0] ?? ''
}

const signIn = (method: string, as: Person) =>
  server.ask<ServerSignInBegun>(method, `${path}/sign-in`, { as })

test('an administrator signs in at a shared server, in their own browser alone', async () => {
  expect((await signIn('GET', 'boss')).body).toMatchObject({ status: expect.any(String) })
  const { body } = await signIn('POST', 'boss')
  const answer = await authorization.visit(body.authorization_url)
  expect(await comeBack('ada', answer)).toMatch(/^\/tools\?sign_in=failed&error_code=/)
  expect(await comeBack('max', answer)).toBe('/tools?sign_in=failed&error_code=not_found')
  expect(await comeBack('boss', answer)).toBe('/tools?sign_in=done&server_id=guarded')
  expect((await server.ask('GET', path)).body).toMatchObject({ status: 'running', tool_count: 1 })
  expect((await signIn('GET', 'boss')).body).toMatchObject({ status: 'signed_in' })
  const tokens = authorization.grants('authorization_code')
  expect(tokens).toBe(1)
})

test('signing out takes the tools away', async () => {
  expect((await signIn('DELETE', 'boss')).status).toBe(204)
  expect((await signIn('GET', 'boss')).body).not.toMatchObject({ status: 'signed_in' })
  expect((await server.ask('GET', path)).body).toMatchObject({ status: 'error', tool_count: 0 })
})

test('the address to sign in at is shown to those who may', async () => {
  const urlsFor = async (as: Person) =>
    JSON.stringify((await server.ask('GET', `${path}/status`, { as })).body)
  expect(await urlsFor('boss')).toContain(authorization.issuer)
  for (const as of ['ada', 'eve'] as const)
    expect(await urlsFor(as)).not.toContain('authorization_url')
})

test('others do not sign in for all', async () => {
  for (const method of ['GET', 'POST', 'DELETE']) {
    expect((await signIn(method, 'ada')).status).toBe(403)
    expect((await signIn(method, 'max')).status).toBe(404)
  }
})

test('an answer to nothing, or a refusal, ends on the page too', async () => {
  const nothing = await comeBack('boss', { code: 'x', state: 'made-up' })
  expect(nothing).toBe('/tools?sign_in=failed&error_code=not_found')
  const { body } = await signIn('POST', 'boss')
  const refused = await authorization.visit(body.authorization_url, { agrees: false })
  expect(await comeBack('boss', refused)).toMatch(/^\/tools\?sign_in=failed&error_code=/)
})

test('what a stranger puts into the address of the page stays text; without a cookie nothing is finished', async () => {
  const code = '"><script>alert(1)</script>&x'
  const query = new URLSearchParams({ code, state: 'x' })
  const page = await server.ask<string>('GET', `/oauth/callback?${query}`, { as: null })
  expect(page.body).not.toContain('<script')
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const finish = await server.ask('GET', `/oauth/callback/finish?${query}`, { as: null })
  expect(finish.status).toBe(401)
})
