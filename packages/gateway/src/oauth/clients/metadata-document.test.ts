import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createEgress, type Egress } from '@dataagent/guard'
import { createTestCertificate } from '@dataagent/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { answerIn, authorizePath, createBrowser, verifier } from '../test-browser.ts'
import { type OAuthWorld, startOAuthWorld } from '../test-oauth-world.ts'

const redirect_uri = 'http://127.0.0.1/callback'

let web: Server
let egress: Egress
let world: OAuthWorld
let asked: string[] = []
let address: string
let isAway = false

beforeAll(async () => {
  const { cert, key } = createTestCertificate('localhost')
  web = createServer({ cert, key }, (request, response) => {
    asked.push(request.url!)
    const client_id = address + request.url
    const answer = documents(client_id)[request.url!.split('?')[0]!]
    if (isAway) response.writeHead(503)
    if (answer?.location) response.writeHead(302, { location: answer.location })
    response.end(answer?.body ?? '{}')
  })
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve))
  address = `https://localhost:${(web.address() as AddressInfo).port}`
  egress = createEgress({ policy: { mode: 'any' }, ca: [cert] })
  world = await startOAuthWorld({ egress })
})

afterAll(async () => {
  await world[Symbol.asyncDispose]()
  await egress.close()
  await new Promise((resolve) => web.close(resolve))
})

function documents(client_id: string): Record<string, { body?: string; location?: string }> {
  const whole = { client_id, client_name: 'Claude Code', redirect_uris: [redirect_uri] }
  return {
    '/good.json': { body: JSON.stringify(whole) },
    '/other-id.json': { body: JSON.stringify({ ...whole, client_id: `${client_id}x` }) },
    '/secret.json': { body: JSON.stringify({ ...whole, client_secret: 's' }) },
    '/by-secret.json': {
      body: JSON.stringify({ ...whole, token_endpoint_auth_method: 'client_secret_post' }),
    },
    '/unsafe.json': { body: JSON.stringify({ ...whole, redirect_uris: ['javascript:alert(1)'] }) },
    '/large.json': { body: JSON.stringify({ ...whole, padding: 'x'.repeat(70_000) }) },
    '/moved.json': { location: `${address}/moved-to.json` },
    '/moved-to.json': { body: JSON.stringify({ ...whole, client_id: `${address}/moved.json` }) },
    '/text.json': { body: 'hello' },
  }
}

async function open(client_id: string) {
  const path = authorizePath({ client_id, redirect_uri: 'http://127.0.0.1:5555/callback' })
  return createBrowser(world.server).open(path)
}

test('a program is known by the document at the address that is its id [E2.3]', async () => {
  const answer = await open(`${address}/good.json`)
  expect(answer.status).toBe(200)
  expect(answer.body).toContain('Connect Claude Code')
  expect(answer.body).toContain(`described by ${new URL(address).host}`)
})

test('a document is kept for ten minutes, one that fails for one', async () => {
  asked = []
  for (let at = 0; at < 3; at += 1) {
    await open(`${address}/good.json?kept`)
    await open(`${address}/text.json`)
  }
  expect(asked).toEqual(['/good.json?kept', '/text.json'])
  await world.clock.advanceAsync(61_000)
  await open(`${address}/good.json?kept`)
  await open(`${address}/text.json`)
  expect(asked).toEqual(['/good.json?kept', '/text.json', '/text.json'])
})

test.each(['other-id', 'secret', 'by-secret', 'unsafe', 'large', 'moved', 'text', 'none'])(
  'the document %s makes no client',
  async (name) => {
    const answer = await open(`${address}/${name}.json`)
    expect(answer.status).toBe(400)
    expect(answer.body).toContain('not known here')
  },
)

test.each(['/', '', '/a/../good.json', '/good.json#x'])(
  '%j is no id of a document',
  async (path) => {
    asked = []
    expect((await open(address + path)).status).toBe(400)
    expect((await open(`${address.replace('https', 'http')}/good.json`)).status).toBe(400)
    expect((await open(`${address.replace('//', '//user@')}/good.json`)).status).toBe(400)
    expect(asked).toEqual([])
  },
)

test('an address of this machine or its network is not asked [T4, T34]', async () => {
  asked = []
  await using guarded = await startOAuthWorld()
  const browser = createBrowser(guarded.server)
  const { port } = new URL(address)
  for (const host of ['localhost', '127.0.0.1', '[::1]', '169.254.169.254', '10.0.0.1']) {
    const client_id = `https://${host}:${port}/good.json`
    expect((await browser.open(authorizePath({ client_id, redirect_uri }))).status).toBe(400)
  }
  expect(asked).toEqual([])
  expect(guarded.logs.map(({ error }) => (error as { code: string }).code)).toEqual(
    Array(5).fill('egress_denied'),
  )
})

test('one address has so many documents fetched in a minute', async () => {
  asked = []
  const browser = createBrowser(world.server, { ip: '192.0.2.200' })
  for (let at = 0; at < 40; at += 1) {
    await browser.open(authorizePath({ client_id: `${address}/good.json?${at}`, redirect_uri }))
  }
  expect(asked).toHaveLength(30)
})

describe('while the host of a document does not answer', () => {
  afterEach(() => {
    isAway = false
  })

  test('the page says to come back, and when it answers again the program is known', async () => {
    isAway = true
    const client_id = `${address}/good.json?away`
    const answer = await open(client_id)
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '60'])
    isAway = false
    await world.clock.advanceAsync(61_000)
    expect((await open(client_id)).status).toBe(200)
  })

  test('what the program was allowed is renewed all the same [E2.4]', async () => {
    const client_id = `${address}/good.json?renewed`
    const browser = createBrowser(world.server, { cookies: { 'sign-in': 'ana' } })
    const page = await browser.open(authorizePath({ client_id, redirect_uri }))
    const { code } = answerIn(await browser.submit(page, { action: 'allow', group_id: 'clinic' }))
    const shown = { grant_type: 'authorization_code', code: code!, code_verifier: verifier }
    const first = await askToken({ ...shown, client_id, redirect_uri })
    isAway = true
    await world.clock.advanceAsync(601_000)
    asked = []
    const { refresh_token } = JSON.parse(first.body)
    const fields = { grant_type: 'refresh_token', refresh_token }
    expect((await askToken({ ...fields, client_id })).status).toBe(200)
    expect(asked).toEqual(['/good.json?renewed'])
    const stranger = await askToken({ ...fields, client_id: `${address}/good.json?stranger` })
    expect([stranger.status, JSON.parse(stranger.body).error]).toEqual([400, 'invalid_grant'])
  })
})

function askToken(fields: Record<string, string>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = new URLSearchParams(fields).toString()
  return world.send({ path: '/mcp/oauth/token', method: 'POST', headers, body })
}
