import { expect, test } from 'vitest'
import { startTestProvider } from '../testing/test-oidc-provider.ts'
import { keyOf, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

async function signIn(server: TestPlatform, api_key: string) {
  const answer = await server.ask('POST', '/sign-in', { as: null, json: { api_key } })
  return { ...answer, cookie: answer.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '' }
}

test('a browser signs in with a key and out again', async () => {
  await using server = await startTestPlatform()
  const { body, cookie } = await signIn(server, keyOf('ada'))
  expect(body).toMatchObject({ tenant_id: 'acme', user_id: 'ada', name: 'ada', via: 'cookie' })
  const headers = { cookie, origin: server.url }
  const me = await server.ask('GET', '/me', { as: null, headers })
  expect(me.body).toEqual(body)
  expect((await server.ask('POST', '/sign-out', { as: null, headers })).status).toBe(204)
  expect((await server.ask('GET', '/me', { as: null, headers })).status).toBe(401)
})

test('a wrong key signs nobody in, and is nowhere in the log [D19.3]', async () => {
  await using server = await startTestPlatform()
  const { status, cookie, body } = await signIn(server, 'canary-of-a-wrong-key')
  expect([status, cookie]).toEqual([401, ''])
  expect(JSON.stringify([body, server.records])).not.toContain('canary')
})

test('a user is signed out everywhere by themselves or an administrator, by nobody else', async () => {
  await using server = await startTestPlatform()
  const cookies = [await signIn(server, keyOf('ada')), await signIn(server, keyOf('ada'))]
  const out = '/users/ada/sign-out'
  expect((await server.ask('POST', out, { as: 'bob' })).status).toBe(404)
  const { body } = await server.ask('POST', out, { as: 'boss' })
  expect(body).toEqual({ signed_out: 2 })
  for (const { cookie } of cookies)
    expect((await server.ask('GET', '/me', { as: null, headers: { cookie } })).status).toBe(401)
})

test('what one can sign in with, and how it is started, is told to everyone', async () => {
  await using server = await startTestPlatform()
  const methods = await server.ask('GET', '/sign-in/methods', { as: null })
  const commands = { server: 'npm start --', terminal: 'npm run dataagent --' }
  expect(methods.body).toEqual({ api_key: true, oidc: null, commands })
  expect((await server.ask('GET', '/sign-in/oidc', { as: null })).status).toBe(404)
})

test('where authentication is off one is signed in already [D19.5]', async () => {
  await using server = await startTestPlatform({ config: { auth_disabled: true } })
  const { body, cookie } = await signIn(server, 'whatever-it-is')
  expect(body).toMatchObject({ user_id: 'admin', role: 'platform_admin', via: 'none' })
  expect(cookie).toBe('')
})

test('a person signs in with an identity provider; what fails is told on our page', async () => {
  await using provider = await startTestProvider()
  const config = { oidc_issuer: provider.issuer, oidc_client_id: 'us', oidc_tenant: 'acme' }
  await using server = await startTestPlatform({ config })
  const methods = await server.ask('GET', '/sign-in/methods', { as: null })
  expect(methods.body).toMatchObject({ api_key: true, oidc: { name: '127.0.0.1' } })

  const come = async (email_verified: boolean) => {
    provider.mood.claims = { email: 'grace@example.com', email_verified }
    const begun = await fetch(`${server.url}/api/v1/sign-in/oidc`, { redirect: 'manual' })
    const back = provider.agree(begun.headers.get('location') ?? '')
    const cookie = begun.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    return fetch(back, { headers: { cookie }, redirect: 'manual' })
  }
  const refused = await come(false)
  expect([refused.status, refused.headers.get('location')]).toEqual([302, '/#sign-in=refused'])
  const entered = await come(true)
  expect([entered.status, entered.headers.get('location')]).toEqual([302, '/'])
  const cookie = entered.headers.getSetCookie().find((one) => one.startsWith('dataagent=')) ?? ''
  const me = await server.ask('GET', '/me', { as: null, headers: { cookie } })
  expect(me.body).toMatchObject({ tenant_id: 'acme', user_id: 'grace@example.com', key_id: null })

  await provider[Symbol.asyncDispose]()
  await using late = await startTestPlatform({ config })
  const away = await fetch(`${late.url}/api/v1/sign-in/oidc`, { redirect: 'manual' })
  expect(away.headers.get('location')).toBe('/#sign-in=failed')
})
