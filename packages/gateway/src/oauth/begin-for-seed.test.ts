import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  answerIn,
  authorizePath,
  challenge,
  createBrowser,
  type TestBrowser,
} from './test-browser.ts'
import { type OAuthWorld, publicUrl, startOAuthWorld } from './test-oauth-world.ts'

const oauth_redirect_uri = 'http://localhost/console/api/mcp/oauth/callback'

const pathOf = (address: string): string => address.slice(publicUrl.length)

async function consent(world: OAuthWorld, browser: TestBrowser, address: string) {
  const page = await browser.open(pathOf(address))
  const chosen = await browser.submit(page, { action: 'key', api_key: world.keys.clinic })
  return browser.submit(chosen, { action: 'allow', group_id: 'clinic' })
}

async function redeem(world: OAuthWorld, fields: Record<string, string>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams({ grant_type: 'authorization_code', ...fields }).toString()
  return world.send({ path: '/mcp/oauth/token', method: 'POST', headers, body })
}

test('the address of the page is whole, and only who asked has the verifier [E2.1] [E2.2]', async () => {
  await using world = await startOAuthWorld({ settings: { oauth_redirect_uri } })
  const begun = await world.server.beginForSeed({ client: 'Dify' })
  const { authorization_url, code_verifier } = begun
  const query = Object.fromEntries(new URL(authorization_url).searchParams)
  expect(query).toMatchObject({
    client_id: 'dify',
    redirect_uri: oauth_redirect_uri,
    response_type: 'code',
  })
  expect(query.code_challenge).toBe(createHash('sha256').update(code_verifier!).digest('base64url'))
  expect(authorization_url).not.toContain(code_verifier)
  const answer = answerIn(await consent(world, createBrowser(world.server), authorization_url))
  expect(answer.state).toBe(query.state)
  const shown = { client_id: 'dify', redirect_uri: oauth_redirect_uri, code: answer.code! }
  const tokens = await redeem(world, { ...shown, code_verifier: code_verifier! })
  const { access_token, group_name } = JSON.parse(tokens.body)
  expect(group_name).toBe('诊所 Clinic')
  expect(await world.tokens.find(access_token)).toMatchObject({
    ...{ key_id: 'clinic.1', user_id: null },
    resource: `${publicUrl}/api/v1/mcp/jsonrpc`,
  })
})

test('a program that brings a challenge keeps its verifier', async () => {
  await using world = await startOAuthWorld({ settings: { oauth_redirect_uri } })
  const begun = await world.server.beginForSeed({ client: 'Dify', code_challenge: challenge })
  expect(begun).not.toHaveProperty('code_verifier')
  expect(new URL(begun.authorization_url).searchParams.get('code_challenge')).toBe(challenge)
})

test('where no callback is set the person gets a code to copy', async () => {
  await using world = await startOAuthWorld()
  const begun = await world.server.beginForSeed({ client: '<b>My tool</b>' })
  const browser = createBrowser(world.server)
  const first = await browser.open(pathOf(begun.authorization_url))
  expect(first.body).toContain('&#60;b&#62;My tool&#60;/b&#62;')
  expect(first.body).toContain('you get a code to copy')
  const page = await consent(world, browser, begun.authorization_url)
  expect(page.headers).not.toHaveProperty('location')
  const [code] = /ac_[\w-]+/.exec(page.body)!
  const shown = { client_id: 'jsonrpc', redirect_uri: 'urn:ietf:wg:oauth:2.0:oob', code }
  const tokens = await redeem(world, { ...shown, code_verifier: begun.code_verifier! })
  expect(tokens.status).toBe(200)
})

test('where a callback is set nobody gets a code to copy, and without one there is no dify', async () => {
  await using withDify = await startOAuthWorld({ settings: { oauth_redirect_uri } })
  await using without = await startOAuthWorld()
  const oob = 'urn:ietf:wg:oauth:2.0:oob'
  for (const [world, client_id, redirect_uri] of [
    [withDify, 'jsonrpc', oob],
    [without, 'dify', oauth_redirect_uri],
  ] as const) {
    const page = await createBrowser(world.server).open(authorizePath({ client_id, redirect_uri }))
    expect(page.status).toBe(400)
    expect(page.body).toContain('not known here')
  }
})

test('where no callback is set a refusal is a page too', async () => {
  await using world = await startOAuthWorld()
  const { authorization_url } = await world.server.beginForSeed({ client: 'Tool' })
  const browser = createBrowser(world.server)
  const page = await browser.open(pathOf(authorization_url))
  const answer = await browser.submit(page, { action: 'deny' })
  expect(answer.status).toBe(200)
  expect(answer.body).toContain('Access denied')
})
