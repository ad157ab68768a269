import { afterAll, expect, test } from 'vitest'
import { startCoreHub, textOf } from '../../testing/test-hub.ts'
import { createHttpTools } from './http-tools.ts'
import { startWeb } from './test-web.ts'

const json = { 'content-type': 'application/json' }
const web = await startWeb({
  '/echo': ({ method, headers, body }) => ({
    headers: { ...json, 'set-cookie': 'session=canary-cookie' },
    body: JSON.stringify({ method, type: headers['content-type'], mine: headers['x-mine'], body }),
  }),
  '/fail': { status: 503, headers: { 'retry-after': '7' }, body: 'busy' },
  '/long': { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(200_000) },
  '/png': { headers: { 'content-type': 'image/png' }, body: Buffer.from([137, 80, 0]) },
  '/away': { status: 307, headers: { location: '/echo' } },
})
const core = await startCoreHub({ tools: ({ egress }) => createHttpTools({ egress }) })
afterAll(async () => {
  await core[Symbol.asyncDispose]()
  await web[Symbol.asyncDispose]()
})

const agreed = { approver: { kind: 'auto', setting: 'test' } } as const
const request = (path: string, args = {}, more = {}) =>
  core.call('http_request', { url: web.origin + path, ...args }, more)

test('a GET gives status, headers and body, and no cookies [D8.1]', async () => {
  const text = textOf(await request('/echo', { headers: { 'X-Mine': 'yes' } }))
  expect(text).toMatch(/^HTTP 200 OK\ncontent-type: application\/json\n\n\{"method":"GET"/)
  expect(text).toContain('"mine":"yes"')
  expect(text).not.toContain('canary-cookie')
})

test('an answer that says no is an answer', async () => {
  const outcome = await request('/fail')
  expect(outcome.status).toBe('ok')
  expect(textOf(outcome)).toBe('HTTP 503 Service Unavailable\nretry-after: 7\n\nbusy')
})

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s asks, and nothing is sent',
  async (method) => {
    const before = web.requests.length
    expect(await request('/echo', { method })).toMatchObject({
      ...{ status: 'denied', error: { code: 'approval_required' } },
    })
    expect(web.requests.length).toBe(before)
  },
)

test.each(['GET', 'HEAD'])('%s asks nobody', async (method) => {
  expect(await request('/echo', { method })).toMatchObject({ status: 'ok' })
})

test.each([
  ['a body', { body: 'x' }],
  ['a header that names another method', { headers: { 'X-HTTP-Method-Override': 'DELETE' } }],
  ['its short form', { headers: { 'x-method': 'DELETE' } }],
])('a GET with %s asks, and nothing is sent', async (_, args) => {
  const before = web.requests.length
  expect(await request('/echo', args)).toMatchObject({ error: { code: 'approval_required' } })
  expect(web.requests.length).toBe(before)
})

test('a GET with an empty body asks nobody', async () => {
  expect(await request('/echo', { body: '' })).toMatchObject({ status: 'ok' })
})

test('what was agreed to is sent, with a type that fits', async () => {
  const text = textOf(await request('/echo', { method: 'POST', body: '{"数":1}' }, agreed))
  expect(text).toContain('"type":"application/json"')
  expect(web.requests.at(-1)?.body).toBe('{"数":1}')
})

test('it is not sent on to where the answer points', async () => {
  const before = web.requests.length
  const text = textOf(await request('/away', { method: 'POST', body: 'x' }, agreed))
  expect(text).toMatch(/^HTTP 307 Temporary Redirect\nlocation: \/echo/)
  expect(web.requests.length).toBe(before + 1)
})

test.each([
  'Authorization',
  'cookie',
  'Host',
  'X-API-Key',
  'apikey',
  'X-Auth-Token',
  'Proxy-Authorization',
  'Content-Length',
  'X-Forwarded-For',
])('the header %s cannot be set, and its value is not repeated [T56]', async (name) => {
  const outcome = await request('/echo', { headers: { [name]: 'canary-value' } })
  expect(outcome).toMatchObject({ error: { code: 'invalid_request' } })
  expect(textOf(outcome)).not.toContain('canary-value')
})

test('a header that would begin another is refused [T56]', async () => {
  const headers = { 'X-Mine': 'a\r\nX-Other: b' }
  expect(await request('/echo', { headers })).toMatchObject({ error: { code: 'invalid_request' } })
})

test('a long body is cut and a binary one named', async () => {
  const text = textOf(await request('/long'))
  expect(text).toMatch(/x\n\[characters 0 to 50000 of 200000\]$/)
  expect(textOf(await request('/png'))).toContain('[3 bytes of image/png, not shown]')
})
