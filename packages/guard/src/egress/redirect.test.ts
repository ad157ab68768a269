import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { isAppError } from '@dataagent/schema/base'
import { createTestCertificate } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { EgressRequest } from './contract.ts'
import { createEgress } from './egress.ts'
import { startTestServer, type TestServer } from './testing/test-server.ts'

const any = { mode: 'any' } as const

interface Seen {
  method: string | undefined
  headers: IncomingMessage['headers']
  body: string
}

/** Answers `/STATUS?to=URL` with that redirect and everything else with what it saw. */
async function startMirror(tls?: { cert: string; key: string }): Promise<TestServer> {
  return startTestServer(
    async (request, response) => {
      const url = new URL(request.url ?? '', 'http://x')
      const to = url.searchParams.get('to')
      const body = Buffer.concat(await Array.fromAsync(request)).toString()
      if (to !== null) response.writeHead(Number(url.pathname.slice(1)), { location: to })
      const seen: Seen = { method: request.method, headers: request.headers, body }
      response.end(to === null ? JSON.stringify(seen) : 'moved')
    },
    tls ? { tls } : {},
  )
}

const redirect = (from: TestServer, status: number, to: string) =>
  `${from.origin}/${status}?to=${encodeURIComponent(to)}`

async function code(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'answered',
    (error) => (isAppError(error) ? error.code : error),
  )
}

describe('credentials', () => {
  const secrets = {
    Authorization: 'Bearer abc',
    Cookie: 'sid=1',
    'X-API-Key': 'k',
    'x-tenant-secret': 's',
    'mcp-session-id': 'm',
  }
  const harmless = { accept: 'application/json', 'Accept-Language': 'de' }

  test('stay with the origin they were meant for [T6]', async () => {
    await using first = await startMirror()
    await using other = await startMirror()
    await using egress = createEgress({ policy: any })
    const answer = await egress.request(redirect(first, 302, `${other.origin}/`), {
      headers: { ...secrets, ...harmless },
    })
    const { headers } = (await answer.json()) as Seen
    expect(Object.keys(headers).sort()).toEqual(
      ['accept', 'accept-encoding', 'accept-language', 'connection', 'host', 'user-agent'].sort(),
    )
    expect(headers).toMatchObject({ accept: 'application/json', 'accept-language': 'de' })
  })

  test('follow within the origin', async () => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    const answer = await egress.request(redirect(first, 302, '/there'), { headers: secrets })
    const { headers } = (await answer.json()) as Seen
    expect(headers).toMatchObject({
      authorization: 'Bearer abc',
      cookie: 'sid=1',
      'x-api-key': 'k',
    })
    expect(answer).toMatchObject({ redirected: true, url: `${first.origin}/there` })
  })

  test('do not come back after a way through another origin', async () => {
    await using first = await startMirror()
    await using other = await startMirror()
    await using egress = createEgress({ policy: any })
    const back = redirect(other, 302, `${first.origin}/`)
    const answer = await egress.request(redirect(first, 302, back), { headers: secrets })
    expect(((await answer.json()) as Seen).headers).not.toHaveProperty('authorization')
  })

  test('do not follow from http to https of the same host', async () => {
    const tls = createTestCertificate('127.0.0.1')
    await using first = await startMirror()
    await using secure = await startMirror(tls)
    await using egress = createEgress({ policy: any, ca: [tls.cert] })
    const answer = await egress.request(redirect(first, 308, `${secure.origin}/`), {
      headers: secrets,
    })
    expect(((await answer.json()) as Seen).headers).not.toHaveProperty('authorization')
  })
})

describe('a redirect', () => {
  test('from https to http is refused', async () => {
    const tls = createTestCertificate('127.0.0.1')
    await using secure = await startMirror(tls)
    await using plain = await startMirror()
    await using egress = createEgress({ policy: any, ca: [tls.cert] })
    expect(await code(egress.request(redirect(secure, 302, plain.origin)))).toBe('egress_denied')
    expect(plain.connections()).toBe(0)
  })

  test.each([
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://u:p@127.0.0.1/',
  ])('to %s is refused', async (location) => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    expect(await code(egress.request(redirect(first, 302, location)))).toBe('egress_denied')
  })

  test('to something that is no URL fails', async () => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    expect(await code(egress.request(redirect(first, 302, 'http://[nope')))).toBe('upstream_failed')
  })

  test.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [301, 'PUT', 'PUT', 'payload'],
    [307, 'POST', 'POST', 'payload'],
    [308, 'POST', 'POST', 'payload'],
    [308, 'DELETE', 'DELETE', 'payload'],
  ])('%i after %s goes on as %s with the body %j', async (status, method, expected, body) => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    const answer = await egress.request(redirect(first, status, '/there'), {
      method,
      body: 'payload',
      headers: { 'content-type': 'text/plain' },
    })
    const seen = (await answer.json()) as Seen
    expect(seen).toMatchObject({ method: expected, body })
    expect('content-type' in seen.headers).toBe(body !== '')
  })

  test('cannot be followed with a body that can be sent only once', async () => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    const call: EgressRequest = { method: 'POST', body: Readable.from([Buffer.from('once')]) }
    expect(await code(egress.request(redirect(first, 307, '/'), call))).toBe('upstream_failed')
    expect(first.requests).toHaveLength(1)
  })

  test.each([
    ['3 redirects', 3, 'answered'],
    ['4 redirects', 4, 'upstream_failed'],
    ['5 redirects', 5, 'upstream_failed'],
  ])('chain of %s', async (_, length, expected) => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    let url = `${first.origin}/end`
    for (let i = 0; i < length; i += 1) url = redirect(first, 302, url)
    expect(await code(egress.request(url))).toBe(expected)
    expect(first.requests).toHaveLength(4)
  })

  test('is the answer when the caller follows by hand, and a failure when it wants none', async () => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    const url = redirect(first, 302, '/there')
    const answer = await egress.request(url, { redirect: 'manual' })
    expect(answer).toMatchObject({
      status: 302,
      redirected: false,
      headers: { location: '/there' },
    })
    await answer.text()
    expect(await code(egress.request(url, { redirect: 'error' }))).toBe('upstream_failed')
    expect(first.requests).toHaveLength(2)
  })

  test('uses the connection again when it stays with the origin', async () => {
    await using first = await startMirror()
    await using egress = createEgress({ policy: any })
    await (await egress.request(redirect(first, 302, '/there'))).text()
    expect(first.connections()).toBe(1)
  })
})
