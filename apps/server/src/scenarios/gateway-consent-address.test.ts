import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const redirect_uri = 'https://client.example/callback'
const code_verifier = 'v'.repeat(43)
const code_challenge = createHash('sha256').update(code_verifier).digest('base64url')

interface Sent {
  path: string
  host: string
  form?: Record<string, string>
  json?: object
  headers?: Record<string, string>
}

/** As a proxy passes it on that serves several names: by node:http, which lets Host be anything. */
function send(at: TestPlatform, { path, host, form, json, headers }: Sent) {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number
    location: string | undefined
    cookies: string[]
    text: string
  }>()
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  const body = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json)
  const options = {
    method: body === undefined ? 'GET' : 'POST',
    headers: { host, ...(body !== undefined && { 'content-type': type }), ...headers },
  }
  const sent = request(`${at.url}${path}`, options, async (answer) => {
    const text = (await answer.setEncoding('utf8').toArray()).join('')
    const { location, 'set-cookie': cookies = [] } = answer.headers
    resolve({ status: answer.statusCode ?? 0, location, cookies, text })
  })
  sent.on('error', reject)
  sent.end(body)
  return promise
}

test.each([
  'https://login.example.com',
  'https://login.example.com/',
  'https://login.example.com//mcp/oauth/authorize',
  'https://login.example.com/mcp/oauth/authorize/',
  'https://login.example.com:8443/mcp/oauth/authorize',
])('a person allows a client at MCP_AUTH_BASE_URL %s [E7.1]', async (mcp_auth_base_url) => {
  const public_url = 'https://tools.example.com'
  await using at = await startTestPlatform({ config: { public_url, mcp_auth_base_url } })
  const group = { group_id: 'all', name: 'All', tools: [{ server_id: '*', tool: '*' }] }
  const { body } = await at.ask('POST', '/mcp-groups', { as: 'boss', json: group })
  const tools = 'tools.example.com'
  const { host } = new URL(mcp_auth_base_url)

  const metadata = '/.well-known/oauth-authorization-server'
  const { authorization_endpoint } = JSON.parse(
    (await send(at, { path: metadata, host: tools })).text,
  )
  expect(authorization_endpoint).toBe(`https://${host}/mcp/oauth/authorize`)
  const client = { redirect_uris: [redirect_uri], token_endpoint_auth_method: 'none' }
  const registration = { path: '/mcp/oauth/register', host: tools, json: client }
  const { client_id } = JSON.parse((await send(at, registration)).text)

  let cookie = ''
  /** Follows an address of the page as a browser that is at `host` does. */
  async function go(path: string, form?: Record<string, string>) {
    const url = new URL(path, authorization_endpoint)
    expect(url.host).toBe(host)
    const way = { path: url.pathname + url.search, host, headers: { cookie } }
    const answer = await send(at, { ...way, ...(form && { form }) })
    cookie ||= answer.cookies.map((line) => line.split(';', 1)[0]).join('; ')
    return answer
  }
  const submit = (page: string, fields: Record<string, string>) => {
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(page) ?? []
    const hidden = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)
    const values = Object.fromEntries([...hidden].map(([, name, value]) => [name, value]))
    return go(action, { ...values, ...fields })
  }

  const query = new URLSearchParams({
    ...{ client_id, redirect_uri, code_challenge, code_challenge_method: 'S256' },
    response_type: 'code',
  })
  const first = await go(`${authorization_endpoint}?${query}`)
  expect(first.status).toBe(200)
  const entered = await submit(first.text, { action: 'key', api_key: String(body.key) })
  const second = await go(entered.location ?? '')
  const allowed = await submit(second.text, { action: 'allow', group_id: 'all' })
  const code = new URL(allowed.location ?? '').searchParams.get('code') ?? ''
  const grant = { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier, code }
  const token = await send(at, { path: '/mcp/oauth/token', host: tools, form: grant })
  expect(JSON.parse(token.text)).toMatchObject({ access_token: expect.stringMatching(/^st_/) })
})
