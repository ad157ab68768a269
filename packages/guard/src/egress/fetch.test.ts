import { createHash } from 'node:crypto'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createEgress } from './egress.ts'
import { startTestServer } from './testing/test-server.ts'

const policy = { mode: 'any' } as const

const startEcho = () =>
  startTestServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.end(JSON.stringify({ method: request.method, headers: request.headers, body }))
  })

describe('createFetch', () => {
  test('answers like fetch', async () => {
    await using server = await startEcho()
    await using egress = createEgress({ policy })
    const fetch = egress.createFetch({ headers: { 'x-standing': '1', 'x-both': 'standing' } })
    const response = await fetch(new URL(server.origin), { headers: { 'X-Both': 'given' } })
    expect(response).toBeInstanceOf(Response)
    expect(response).toMatchObject({
      ok: true,
      status: 200,
      url: `${server.origin}/`,
      redirected: false,
    })
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    const { headers } = (await response.json()) as { headers: object }
    expect(headers).toMatchObject({ 'x-standing': '1', 'x-both': 'given' })
  })

  test.each([
    ['text', () => 'hi', 'hi', 'text/plain;charset=UTF-8'],
    [
      'a form',
      () => new URLSearchParams({ a: '1 2' }),
      'a=1+2',
      'application/x-www-form-urlencoded;charset=UTF-8',
    ],
    ['bytes', () => new TextEncoder().encode('hi'), 'hi', undefined],
    ['a buffer', () => new TextEncoder().encode('hi').buffer, 'hi', undefined],
    ['a blob', () => new Blob(['hi'], { type: 'text/x' }), 'hi', 'text/x'],
    ['a stream', () => new Blob(['hi']).stream(), 'hi', undefined],
  ])('sends %s', async (_, body, text, type) => {
    await using server = await startEcho()
    await using egress = createEgress({ policy })
    const init = { method: 'POST', body: body(), duplex: 'half' as const }
    const response = await egress.createFetch()(server.origin, init)
    const seen = (await response.json()) as { headers: Record<string, string>; body: string }
    expect(seen.body).toBe(text)
    expect(seen.headers['content-type']).toBe(type)
  })

  test('sends a multipart form', async () => {
    await using server = await startEcho()
    await using egress = createEgress({ policy })
    const form = new FormData()
    form.set('field', 'value')
    const response = await egress.createFetch()(server.origin, { method: 'POST', body: form })
    const seen = (await response.json()) as { headers: Record<string, string>; body: string }
    expect(seen.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(seen.body).toContain('name="field"\r\n\r\nvalue')
  })

  test('takes a Request', async () => {
    await using server = await startEcho()
    await using egress = createEgress({ policy })
    const headers = { 'content-type': 'application/json' }
    const request = new Request(server.origin, { method: 'PUT', body: '{}', headers })
    const response = await egress.createFetch()(request)
    const seen = await response.json()
    expect(seen).toMatchObject({ method: 'PUT', body: '{}', headers })
  })

  test('gives an answer without body for 204, and its deadline is over', async () => {
    const clock = createFakeClock()
    await using server = await startTestServer((_, response) => void response.writeHead(204).end())
    await using egress = createEgress({ policy, clock })
    const response = await egress.createFetch()(server.origin)
    expect(response).toMatchObject({ status: 204, body: null })
    await waitFor(() => clock.pending() === 0)
  })

  test('streams a large body whole, at the pace of its reader', async () => {
    const bytes = Buffer.alloc(3_000_000, 'stream')
    await using server = await startTestServer((_, response) => void response.end(bytes))
    await using egress = createEgress({ policy })
    const response = await egress.createFetch()(server.origin)
    const hash = createHash('sha256')
    for await (const chunk of response.body ?? []) hash.update(chunk)
    expect(hash.digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('rejects with the reason of its own signal, in the call and in the body', async () => {
    await using server = await startTestServer((request, response) => {
      if (request.url === '/body') response.write('x')
    })
    await using egress = createEgress({ policy })
    const fetch = egress.createFetch()
    const early = fetch(server.origin, { signal: AbortSignal.abort() })
    await expect(early).rejects.toMatchObject({ name: 'AbortError' })
    const controller = new AbortController()
    const response = await fetch(`${server.origin}/body`, { signal: controller.signal })
    const reading = response.text()
    controller.abort()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('keeps the policy and limits it was made with', async () => {
    await using server = await startEcho()
    await using egress = createEgress({ policy })
    const strict = egress.createFetch({ policy: { mode: 'public' } })
    await expect(strict(server.origin)).rejects.toMatchObject({ code: 'egress_denied' })
    const small = await egress
      .createFetch({ maxResponseBytes: 10 })(server.origin)
      .catch((e) => e)
    expect(small).toMatchObject({ code: 'too_large' })
    expect(server.requests).toHaveLength(1)
  })

  test('can be told not to follow redirects', async () => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await using egress = createEgress({ policy })
    const response = await egress.createFetch()(server.origin, { redirect: 'manual' })
    expect(response.status).toBe(302)
    expect(response.headers.get('location')).toBe('/elsewhere')
  })

  test.each([
    ['error', 'follow'],
    ['error', 'manual'],
    ['follow', 'error'],
    ['manual', 'error'],
  ] as const)('of %s and %s the stricter redirect holds', async (standing, given) => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await using egress = createEgress({ policy })
    const fetch = egress.createFetch({ redirect: standing })
    for (const call of [
      fetch(server.origin, { redirect: given }),
      fetch(new Request(server.origin, { redirect: given })),
    ])
      await expect(call).rejects.toMatchObject({ code: 'upstream_failed' })
    expect(server.requests).toEqual(['GET /', 'GET /'])
  })

  test('a Request that says nothing of redirects and signals keeps the standing ones', async () => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    await using egress = createEgress({ policy })
    const request = new Request(server.origin)
    const manual = await egress.createFetch({ redirect: 'manual' })(request)
    expect(manual.status).toBe(302)
    const aborted = egress.createFetch({ signal: AbortSignal.abort('standing') })
    await expect(aborted(request)).rejects.toBe('standing')
  })

  test.each(['standing', 'ofRequest', 'ofCall'] as const)(
    'is ended by any of its signals: %s',
    async (which) => {
      await using server = await startTestServer(() => {})
      await using egress = createEgress({ policy })
      const controllers = {
        standing: new AbortController(),
        ofRequest: new AbortController(),
        ofCall: new AbortController(),
      }
      const { standing, ofRequest, ofCall } = controllers
      const request = new Request(server.origin, { signal: ofRequest.signal })
      const asked = egress.createFetch({ signal: standing.signal })(request, {
        signal: ofCall.signal,
      })
      controllers[which].abort(which)
      await expect(asked).rejects.toBe(which)
    },
  )

  test('leaves out headers without a value', async () => {
    await using server = await startEcho()
    await using egress = createEgress({ policy })
    const fetch = egress.createFetch({
      headers: { authorization: undefined, 'x-list': ['a', 'b'], 'x-kept': 'standing' },
    })
    const given = { 'x-none': undefined, 'x-kept': undefined } as unknown as Record<string, string>
    const response = await fetch(server.origin, { headers: given })
    const { headers } = (await response.json()) as { headers: Record<string, string> }
    expect(headers).toMatchObject({ 'x-list': 'a, b', 'x-kept': 'standing' })
    expect(headers).not.toHaveProperty('authorization')
    expect(headers).not.toHaveProperty('x-none')
  })

  test('frees the connection when the reader lets go', async () => {
    await using server = await startTestServer((_, response) => void response.write('x'))
    await using egress = createEgress({ policy })
    const response = await egress.createFetch()(server.origin)
    await response.body?.cancel()
    await expect.poll(() => server.open()).toBe(0)
  })
})
