import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { isAppError } from '@dataagent/schema/base'
import { describe, expect, test } from 'vitest'
import type { EgressRequest } from './contract.ts'
import { createEgress } from './egress.ts'
import { startTestServer } from './testing/test-server.ts'

const policy = { mode: 'any' } as const

/** A server that answers with what it was sent. */
const startEcho = () =>
  startTestServer(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString()
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.writeHead(201, 'Made').end(JSON.stringify({ ...request.headers, body }))
  })

async function failure(url: string, call?: EgressRequest): Promise<unknown> {
  await using egress = createEgress({ policy })
  return await egress.request(url, call).catch((error) => error)
}

describe('an answer', () => {
  test('has status, text, headers and body as they came', async () => {
    await using server = await startEcho()
    await using egress = createEgress({ policy, userAgent: 'test/1' })
    const answer = await egress.request(`${server.origin}/a?b=c#d`)
    expect(answer).toMatchObject({ status: 201, statusText: 'Made', redirected: false })
    expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(await answer.json()).toMatchObject({ 'user-agent': 'test/1', accept: '*/*' })
    expect(server.requests).toEqual(['GET /a?b=c'])
  })

  test('can be read as bytes, as a stream, and once only', async () => {
    await using server = await startTestServer((_, response) => void response.end('häßlich'))
    await using egress = createEgress({ policy })
    const bytes = await (await egress.request(server.origin)).bytes()
    expect(bytes).toEqual(Buffer.from('häßlich'))
    const answer = await egress.request(server.origin)
    expect(Buffer.concat(await answer.body.toArray()).toString()).toBe('häßlich')
    await expect(answer.text()).rejects.toThrow()
  })

  test('that is not JSON fails without repeating it', async () => {
    await using server = await startTestServer((_, response) => void response.end('canary <html>'))
    await using egress = createEgress({ policy })
    const error = await (await egress.request(server.origin)).json().catch((thrown) => thrown)
    expect(isAppError(error, 'upstream_failed')).toBe(true)
    expect(inspect(error)).not.toContain('canary')
  })

  test.each([404, 500, 503])('of status %i is an answer', async (status) => {
    await using server = await startTestServer(
      (_, response) => void response.writeHead(status).end(),
    )
    await using egress = createEgress({ policy })
    const answer = await egress.request(server.origin)
    expect(answer.status).toBe(status)
    expect(await answer.text()).toBe('')
  })
})

describe('a request body', () => {
  test.each([
    ['text', 'a piece'],
    ['bytes', Buffer.from('a piece')],
    ['a stream', Readable.from([Buffer.from('a '), Buffer.from('piece')])],
    ['an iterable', pieces()],
  ])('of %s is sent', async (_, body) => {
    await using server = await startEcho()
    await using egress = createEgress({ policy })
    const answer = await egress.request(server.origin, { method: 'post', body })
    expect(await answer.json()).toMatchObject({ body: 'a piece' })
    expect(server.requests).toEqual(['POST /'])
  })

  test('is sent while the answer is read', async () => {
    await using server = await startTestServer((request, response) => void request.pipe(response))
    await using egress = createEgress({ policy })
    const upload = new Readable({ read() {} })
    upload.push('one')
    const { body } = await egress.request(server.origin, { method: 'POST', body: upload })
    const echoed: string[] = []
    for await (const chunk of body) {
      echoed.push(String(chunk))
      upload.push(echoed.length === 1 ? 'two' : null)
    }
    expect(echoed).toEqual(['one', 'two'])
  })

  test('that fails fails the call; a call that fails closes its stream', async () => {
    await using server = await startEcho()
    const failing = new Readable({ read() {} })
    const asked = failure(server.origin, { method: 'POST', body: failing })
    failing.destroy(new Error('broken source'))
    expect(await asked).toMatchObject({ code: 'upstream_failed' })
    const hanging = new Readable({ read() {} })
    const call = { method: 'POST', body: hanging, timeoutMs: 50 }
    expect(await failure(server.origin, call)).toMatchObject({ code: 'timeout' })
    expect(hanging.destroyed).toBe(true)
    for (const refused of [{ method: 'bad method' }, { headers: { host: 'x' } }, { proxy: 'x' }]) {
      const unused = new Readable({ read() {} })
      await failure(server.origin, { method: 'POST', body: unused, ...refused })
      expect(unused.destroyed).toBe(true)
    }
  })
})

describe('a call that fails closes', () => {
  const refused = { method: 'bad method' }
  const slow = { method: 'POST', timeoutMs: 50 }

  test.each([refused, slow])('a web stream: %j', async (call) => {
    await using server = await startEcho()
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      cancel() {
        cancelled = true
      },
    })
    await failure(server.origin, { ...call, body })
    await expect.poll(() => cancelled).toBe(true)
  })

  test.each([refused, slow])('an iterator: %j', async (call) => {
    await using server = await startEcho()
    let returned = false
    const never = new Promise<never>(() => {})
    const iterator: AsyncIterableIterator<Uint8Array> = {
      next: () => never,
      async return() {
        returned = true
        return { done: true, value: undefined }
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    await failure(server.origin, { ...call, body: iterator })
    await expect.poll(() => returned).toBe(true)
  })

  test('the body of a fetch', async () => {
    await using egress = createEgress({ policy: { mode: 'public' } })
    let cancelled = false
    const body = new ReadableStream<Uint8Array>({
      cancel() {
        cancelled = true
      },
    })
    const call = { method: 'POST', body, duplex: 'half' as const }
    const asked = egress.createFetch()('http://127.0.0.1:1/', call)
    await expect(asked).rejects.toMatchObject({ code: 'egress_denied' })
    await expect.poll(() => cancelled).toBe(true)
  })

  test('not a stream that someone else reads, which it refuses', async () => {
    await using server = await startEcho()
    const body = new ReadableStream<Uint8Array>()
    const reader = body.getReader()
    expect(await failure(server.origin, { method: 'POST', body })).toMatchObject({
      code: 'invalid_request',
    })
    reader.releaseLock()
    expect(body.locked).toBe(false)
  })
})

describe('refuses', () => {
  test.each([
    ['a line break in a value', { 'x-a': 'b\r\nx-injected: 1' }],
    ['a NUL in a value', { 'x-a': 'b\0c' }],
    ['a line break in a name', { 'x-a\r\nx-b': 'c' }],
    ['an empty name', { '': 'c' }],
    ['text outside Latin-1', { 'x-a': '值' }],
    ['a Host of the caller', { Host: 'other.example' }],
    ['Transfer-Encoding', { 'transfer-encoding': 'chunked' }],
    ['Connection', { connection: 'x' }],
    ['Proxy-Authorization', { 'Proxy-Authorization': 'Basic canary' }],
    ['a line break in a list', { 'x-a': ['ok', 'b\nc'] }],
  ])('%s among the headers', async (_, headers) => {
    await using server = await startEcho()
    expect(await failure(server.origin, { headers })).toMatchObject({ code: 'invalid_request' })
    expect(server.requests).toEqual([])
  })

  test.each(['CONNECT', 'trace', 'GET / HTTP/1.1\r\nx: y', ''])('the method %j', async (method) => {
    await using server = await startEcho()
    expect(await failure(server.origin, { method })).toMatchObject({ code: 'invalid_request' })
    expect(server.requests).toEqual([])
  })

  test('a user name or password in the address', async () => {
    for (const userinfo of ['user:canary', 'canary', ':canary']) {
      const error = await failure(`http://${userinfo}@127.0.0.1/`)
      expect(error).toMatchObject({ code: 'egress_denied' })
      expect(inspect(error)).not.toContain('canary')
    }
  })

  test('a port that is not allowed', async () => {
    await using server = await startEcho()
    await using egress = createEgress({ policy: { mode: 'any', allowedPorts: [443] } })
    await expect(egress.request(server.origin)).rejects.toMatchObject({ code: 'egress_denied' })
    expect(server.connections()).toBe(0)
  })
})

describe('errors', () => {
  test('name the host, what to do, and the setting that allows it', async () => {
    await using egress = createEgress({ policy: { mode: 'public' }, allowSetting: 'THE_SETTING' })
    const error = await egress.request('http://10.0.0.8:81/path').catch((thrown) => thrown)
    expect(error.message).toBe(
      '10.0.0.8:81 is a private address, and only public addresses may be reached. Ask an administrator to allow it (setting THE_SETTING).',
    )
    expect(error.data).toEqual({ host: '10.0.0.8:81' })
  })

  test('do not tell the address that a name resolves to', async () => {
    const lookup = async () => [{ address: '10.20.30.40', family: 4 }]
    await using egress = createEgress({ policy: { mode: 'public' }, lookup })
    const error = await egress.request('http://inside.example/').catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'egress_denied' })
    expect(inspect(error)).not.toContain('10.20.30.40')
  })

  test.each([
    ['refused connection', 'http://127.0.0.1:1/path?q=canary', 'refused the connection'],
    ['unknown name', 'http://no-such-host.invalid/?q=canary', 'is not a known host name'],
    ['not a URL', 'http://[canary/', 'not a valid URL'],
  ])('of a %s hold no query and no header', async (_, url, text) => {
    const lookup = async (hostname: string) => {
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' })
    }
    await using egress = createEgress({ policy, lookup })
    const headers = { authorization: 'Bearer canary' }
    const error = await egress.request(url, { headers }).catch((thrown) => thrown)
    expect(error.message).toContain(text)
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('canary')
  })

  test('of a garbled answer hold none of it', async () => {
    await using server = await startTestServer((request) => {
      request.socket.end('canary says hello\r\n\r\n')
    })
    const error = await failure(server.origin)
    expect(error).toMatchObject({ code: 'upstream_failed' })
    expect(inspect(error, { depth: 10 })).not.toContain('canary')
  })

  test('of an address that speaks http, not https, say so', async () => {
    await using server = await startEcho()
    const error = await failure(server.origin.replace('http:', 'https:'))
    expect(error).toMatchObject({ message: expect.stringContaining('does not speak TLS') })
  })

  test('of a cut connection are typed, before and within the body', async () => {
    await using server = await startTestServer((request, response) => {
      if (request.url === '/') return void request.socket.destroy()
      response.writeHead(200, { 'content-length': '100' })
      response.write('part', () => request.socket.destroy())
    })
    expect(await failure(server.origin)).toMatchObject({ code: 'upstream_failed' })
    await using egress = createEgress({ policy })
    const answer = await egress.request(`${server.origin}/body`)
    await expect(answer.text()).rejects.toMatchObject({ code: 'upstream_failed' })
  })
})

async function* pieces() {
  yield Buffer.from('a ')
  yield Buffer.from('piece')
}
