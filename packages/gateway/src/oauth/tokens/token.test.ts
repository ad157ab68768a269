import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlainResponse } from '../../http/index.ts'
import { answerIn, authorizePath, callback, createBrowser, verifier } from '../test-browser.ts'
import {
  adminKey,
  type OAuthWorld,
  publicUrl,
  startOAuthWorld,
  strangerKey,
  userKey,
} from '../test-oauth-world.ts'
import { register, registered } from '../test-registration.ts'

let world: OAuthWorld
let client_id: string
let address = 0
beforeAll(async () => {
  world = await startOAuthWorld()
  client_id = await registered(world.server)
})
afterAll(() => world[Symbol.asyncDispose]())

async function getCode(parameters: Record<string, string> = {}): Promise<string> {
  address += 1
  const ip = `198.18.2.${address}`
  const browser = createBrowser(world.server, { ip, cookies: { 'sign-in': 'ana' } })
  const page = await browser.open(authorizePath({ client_id, ...parameters }))
  return answerIn(await browser.submit(page, { action: 'allow', group_id: 'clinic' })).code!
}

async function post(path: string, fields: Record<string, string | undefined>, headers = {}) {
  const sent = Object.entries(fields).filter(([, value]) => value !== undefined)
  return world.send({
    path,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(sent as [string, string][]).toString(),
  })
}

const askToken = (fields: Record<string, string | undefined>, headers = {}) =>
  post('/mcp/oauth/token', fields, headers)

async function redeem(fields: Record<string, string | undefined> = {}, headers = {}) {
  const code = 'code' in fields ? fields.code : await getCode()
  const whole = {
    grant_type: 'authorization_code',
    client_id,
    redirect_uri: callback,
    code_verifier: verifier,
  }
  return askToken({ ...whole, ...fields, code }, headers)
}

const bodyOf = ({ body }: PlainResponse) => JSON.parse(body)

describe('a code', () => {
  test('gives the session token, with the name of the group [E2.3] [E8.2]', async () => {
    const answer = await redeem()
    expect(answer.status).toBe(200)
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' })
    expect(bodyOf(answer)).toEqual({
      access_token: expect.stringMatching(/^st_/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^rt_/),
      scope: 'mcp:read mcp:call',
      group_name: '诊所 Clinic',
    })
    const session = await world.tokens.find(bodyOf(answer).access_token)
    expect(session).toMatchObject({
      ...{ group_id: 'clinic', user_id: 'ana', client: 'Dify', client_id },
      resource: `${publicUrl}/mcp/g/clinic`,
    })
  })

  test('is redeemed at another process than the one that gave it', async () => {
    const fields = { grant_type: 'authorization_code', client_id, code: await getCode() }
    const whole = { ...fields, redirect_uri: callback, code_verifier: verifier }
    const answer = await world.other.handle({
      ...{
        method: 'POST',
        path: '/mcp/oauth/token',
        query: new URLSearchParams(),
        ip: '192.0.2.9',
      },
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams(whole).toString(),
    })
    expect(answer?.status).toBe(200)
  })

  test('is bound to what was asked: scope and resource', async () => {
    const resource = `${publicUrl}/mcp`
    const code = await getCode({ resource, scope: 'mcp:read' })
    const answer = bodyOf(await redeem({ code, resource: `${resource}/` }))
    expect(answer.scope).toBe('mcp:read')
    expect(await world.tokens.find(answer.access_token)).toMatchObject({ resource })
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['the challenge as verifier', { code_verifier: 'a'.repeat(43) }, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'v'.repeat(42) }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_request'],
    ['another address', { redirect_uri: `${callback}/` }, 'invalid_grant'],
    ['no address', { redirect_uri: undefined }, 'invalid_request'],
    ['no code', { code: undefined }, 'invalid_request'],
    ['another code', { code: `ac_${'x'.repeat(43)}` }, 'invalid_grant'],
    ['a key', { code: userKey }, 'invalid_grant'],
    ['another resource of ours', { resource: `${publicUrl}/mcp/g/sales` }, 'invalid_target'],
    ['a resource of others', { resource: 'https://evil.example' }, 'invalid_target'],
    ['no grant', { grant_type: undefined }, 'invalid_request'],
    ['a password', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('is not redeemed with %s [T20]', async (_, fields, error) => {
    const answer = await redeem(fields)
    expect(answer.status).toBe(400)
    expect(bodyOf(answer)).toMatchObject({ error })
  })

  test('is not redeemed by another program, and that does not spend it', async () => {
    const code = await getCode()
    const other = await registered(world.server, { client_name: 'Other' })
    expect(bodyOf(await redeem({ code, client_id: other }))).toMatchObject({
      error: 'invalid_grant',
    })
    expect((await redeem({ code })).status).toBe(200)
  })

  test('is redeemed once; a second time ends what it gave [T21]', async () => {
    const code = await getCode()
    const { refresh_token } = bodyOf(await redeem({ code }))
    expect(bodyOf(await redeem({ code }))).toMatchObject({ error: 'invalid_grant' })
    const refreshed = await askToken({ grant_type: 'refresh_token', client_id, refresh_token })
    expect(bodyOf(refreshed)).toMatchObject({ error: 'invalid_grant' })
  })

  test('expires after ten minutes [E2.2]', async () => {
    const code = await getCode()
    await world.clock.advanceAsync(600_001)
    expect(bodyOf(await redeem({ code }))).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('a refresh token', () => {
  test('gives new tokens without the key, always with another refresh token [E2.4]', async () => {
    const { refresh_token } = bodyOf(await redeem())
    await world.clock.advanceAsync(3_600_001)
    const answer = await askToken({ grant_type: 'refresh_token', client_id, refresh_token })
    expect(bodyOf(answer)).toMatchObject({ token_type: 'Bearer', group_name: '诊所 Clinic' })
    expect(bodyOf(answer).refresh_token).toMatch(/^rt_/)
    expect(await world.tokens.find(bodyOf(answer).access_token)).toBeDefined()
  })

  test('is missing, wrong, or of another program', async () => {
    const { refresh_token } = bodyOf(await redeem())
    const other = await registered(world.server)
    const grant_type = 'refresh_token'
    const missing = await askToken({ grant_type, client_id })
    expect(bodyOf(missing)).toMatchObject({ error: 'invalid_request' })
    for (const fields of [{ refresh_token: 'rt_x' }, { refresh_token, client_id: other }]) {
      const answer = await askToken({ grant_type, client_id, ...fields })
      expect([answer.status, bodyOf(answer).error]).toEqual([400, 'invalid_grant'])
    }
  })
})

describe('a program with a secret', () => {
  async function withSecret(token_endpoint_auth_method: string) {
    const body = { redirect_uris: [callback], token_endpoint_auth_method }
    const answer = bodyOf(await register(world.server, body, '192.0.2.50'))
    expect(answer.client_secret_expires_at).toBe(0)
    return { id: answer.client_id as string, secret: answer.client_secret as string }
  }

  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
  })

  test('shows it in the form, or in a header', async () => {
    for (const method of ['client_secret_post', 'client_secret_basic']) {
      const { id, secret } = await withSecret(method)
      const inForm = {
        code: await getCode({ client_id: id }),
        client_id: id,
        client_secret: secret,
      }
      expect((await redeem(inForm)).status).toBe(200)
      const code = await getCode({ client_id: id })
      expect((await redeem({ code, client_id: undefined }, basic(id, secret))).status).toBe(200)
    }
  })

  test('gets nothing without it, or with another', async () => {
    const { id, secret } = await withSecret('client_secret_post')
    const code = await getCode({ client_id: id })
    const none = await redeem({ code, client_id: id })
    expect([none.status, bodyOf(none).error]).toEqual([401, 'invalid_client'])
    const wrong = await redeem({ code, client_id: id, client_secret: `${secret}x` })
    expect([wrong.status, bodyOf(wrong).error]).toEqual([401, 'invalid_client'])
    for (const headers of [basic(id, 'x'), basic('nobody', secret), { authorization: 'Basic !' }]) {
      const answer = await redeem({ code, client_id: undefined }, headers)
      expect(answer.status).toBe(401)
      expect(answer.headers['www-authenticate']).toMatch(/^Basic /)
    }
    const both = await redeem({ code, client_id: id, client_secret: secret }, basic(id, secret))
    expect(both.status).toBe(401)
  })

  test('has it stored as a hash alone', async () => {
    const { id, secret } = await withSecret('client_secret_post')
    const row = await world.store.gateway.clients.get(id)
    expect(JSON.stringify(row)).not.toContain(secret)
  })
})

test('an unknown program, a body that is no form, a field twice', async () => {
  const unknown = await redeem({ code: 'ac_x', client_id: 'nobody' })
  expect([unknown.status, bodyOf(unknown).error]).toEqual([401, 'invalid_client'])
  const json = await redeem({ code: 'ac_x' }, { 'content-type': 'application/json' })
  expect([json.status, bodyOf(json).error]).toEqual([400, 'invalid_request'])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = `grant_type=refresh_token&client_id=${client_id}&client_id=${client_id}`
  const twice = await world.send({ path: '/mcp/oauth/token', method: 'POST', headers, body })
  expect([twice.status, bodyOf(twice).error]).toEqual([400, 'invalid_request'])
})

test('one address asks so often in a minute, and is then told to wait [E5.2]', async () => {
  const path = '/mcp/oauth/token'
  const ip = '192.0.2.99'
  for (let at = 0; at < 600; at += 1) await world.send({ path, method: 'POST', ip })
  const limited = await world.send({ path, method: 'POST', ip })
  expect(limited.status).toBe(429)
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  expect(bodyOf(limited)).toMatchObject({ error_description: 'Rate limit exceeded' })
})

test('a program that gets tokens is noted as used', async () => {
  await redeem()
  const row = await world.store.gateway.clients.get(client_id)
  expect(row?.last_used_at).toBe(world.clock.now())
})

describe('revocation', () => {
  test('ends a token and what renews it; an unknown one is no error [E2.3] [E2.4]', async () => {
    const { access_token, refresh_token } = bodyOf(await redeem())
    for (const token of [refresh_token, refresh_token, 'st_unknown', 'x']) {
      expect((await post('/mcp/oauth/revoke', { client_id, token })).status).toBe(200)
    }
    await world.clock.advanceAsync(1001)
    expect(await world.tokens.find(access_token)).toBeUndefined()
  })

  test('asks for the program and the token', async () => {
    expect((await post('/mcp/oauth/revoke', { token: 'st_x' })).status).toBe(401)
    expect((await post('/mcp/oauth/revoke', { client_id })).status).toBe(400)
  })
})

describe('introspection', () => {
  const introspect = (token: string, key?: string) =>
    post(
      '/mcp/oauth/introspect',
      { token },
      key === undefined ? {} : { authorization: `Bearer ${key}` },
    )

  test('tells an administrator what a token stands for [E2.3]', async () => {
    const { access_token, refresh_token } = bodyOf(await redeem())
    for (const token of [access_token, refresh_token]) {
      const answer = await introspect(token, adminKey)
      expect(bodyOf(answer)).toMatchObject({
        ...{ active: true, iss: publicUrl, client_id, sub: 'ana', group_id: 'clinic' },
        scope: 'mcp:read mcp:call',
        aud: `${publicUrl}/mcp/g/clinic`,
      })
      expect(answer.body).not.toMatch(/hash|st_|rt_/)
    }
    expect(bodyOf(await introspect('st_unknown', adminKey))).toEqual({ active: false })
  })

  test('tells nothing of the tokens of another tenant', async () => {
    const { access_token } = bodyOf(await redeem())
    expect(bodyOf(await introspect(access_token, strangerKey))).toEqual({ active: false })
  })

  test('is for administrators alone', async () => {
    expect((await introspect('st_x')).status).toBe(401)
    expect((await introspect('st_x', 'wrong')).status).toBe(401)
    expect((await introspect('st_x', userKey)).status).toBe(403)
  })
})
