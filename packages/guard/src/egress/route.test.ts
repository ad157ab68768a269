import { brotliCompressSync, gzipSync } from 'node:zlib'
import type { AppError } from '@dataagent/schema/base'
import { startFaultProxy, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import type { AnswerFlow, AnswerHead, EgressRoute, RouteCall } from './contract.ts'
import { createEgress } from './egress.ts'
import { startTestServer } from './testing/test-server.ts'

const any = { mode: 'any' } as const

/** A call whose answer is kept, with all that its sink heard. */
function send(
  route: EgressRoute,
  call: Partial<RouteCall> = {},
  onFirst: (flow: AnswerFlow) => void = () => {},
) {
  const chunks: Buffer[] = []
  const heard = {
    head: undefined as AnswerHead | undefined,
    flow: undefined as AnswerFlow | undefined,
    ended: false,
    error: undefined as AppError | undefined,
    text: () => Buffer.concat(chunks).toString(),
  }
  const running = route.send(
    { method: 'GET', ...call },
    {
      begin(head, flow) {
        heard.head = head
        heard.flow = flow
      },
      data(chunk) {
        if (chunks.push(chunk) === 1 && heard.flow) onFirst(heard.flow)
      },
      end() {
        heard.ended = true
      },
      fail(error) {
        heard.error = error
      },
    },
  )
  return { heard, running }
}

describe('a route', () => {
  test('hands on status, headers and body, over one connection for call after call', async () => {
    await using server = await startTestServer((request, response) => {
      response.writeHead(201, { 'x-seen': request.headers['x-mine'] })
      request.pipe(response)
    })
    await using egress = createEgress({ policy: any })
    const route = egress.createRoute(`${server.origin}/a?b=c`, { headers: { 'X-Mine': 'yes' } })
    for (let i = 0; i < 5; i += 1) {
      const { heard } = send(route, { method: 'POST', body: `body ${i}` })
      await waitFor(() => heard.ended)
      expect(heard.head).toMatchObject({ status: 201, headers: { 'x-seen': 'yes' } })
      expect(heard.text()).toBe(`body ${i}`)
    }
    expect(server.requests).toEqual(Array(5).fill('POST /a?b=c'))
    expect(server.connections()).toBe(1)
  })

  test('takes headers and a path for one call', async () => {
    await using server = await startTestServer((request, response) => {
      response.end(JSON.stringify(request.headers))
    })
    await using egress = createEgress({ policy: any })
    const route = egress.createRoute(server.origin, { headers: { a: '1', b: '1' } })
    const { heard } = send(route, { path: '/other', headers: { B: '2', c: '3' } })
    await waitFor(() => heard.ended)
    expect(JSON.parse(heard.text())).toMatchObject({ a: '1', b: '2', c: '3' })
    expect(server.requests).toEqual(['GET /other'])
  })

  test.for([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('decompresses %s', async ([encoding, compress]) => {
    const text = 'hello '.repeat(50_000)
    await using server = await startTestServer((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(text))
    })
    await using egress = createEgress({ policy: any })
    const { heard } = send(egress.createRoute(server.origin))
    await waitFor(() => heard.ended)
    expect(heard.text()).toBe(text)
  })

  test.for([
    ['an encoding nobody knows', 'snappy', 'x'],
    ['a body that is not encoded so', 'gzip', 'x'],
  ])('fails for %s', async ([, encoding = '', body]) => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(body)
    })
    await using egress = createEgress({ policy: any })
    const { heard } = send(egress.createRoute(server.origin))
    await waitFor(() => heard.error)
    expect(heard.error?.code).toBe('upstream_failed')
  })

  test('gives a redirect as an answer', async () => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    await using egress = createEgress({ policy: any })
    const { heard } = send(egress.createRoute(server.origin))
    await waitFor(() => heard.ended)
    expect(heard.head?.status).toBe(307)
    expect(server.requests).toHaveLength(1)
  })

  test('is held back by a pause', async () => {
    const text = 'x'.repeat(8_000_000)
    await using server = await startTestServer((_, response) => void response.end(text))
    await using egress = createEgress({ policy: any })
    const { heard } = send(egress.createRoute(server.origin), {}, (flow) => flow.pause())
    const { length } = await settled(() => heard.text())
    expect(length).toBeLessThan(text.length)
    heard.flow?.resume()
    await waitFor(() => heard.ended)
    expect(heard.text()).toBe(text)
  })
})

describe('a route refuses', () => {
  test('an address that the policy does not let out, before anything is sent', async () => {
    await using server = await startTestServer((_, response) => void response.end())
    await using egress = createEgress({ policy: { mode: 'public' } })
    expect(() => egress.createRoute(server.origin)).toThrow(
      expect.objectContaining({ code: 'egress_denied' }),
    )
    expect(() => egress.createRoute('http://user:secret@127.0.0.1/')).toThrow(
      expect.not.objectContaining({ message: expect.stringContaining('secret') }),
    )
    expect(server.connections()).toBe(0)
  })

  test('a name that resolves to such an address', async () => {
    await using server = await startTestServer((_, response) => void response.end())
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    await using egress = createEgress({ policy: { mode: 'public' }, lookup })
    const { heard, running } = send(egress.createRoute(`http://evil.example:${server.port}/`))
    await waitFor(() => heard.error)
    expect([heard.error?.code, running.sent]).toEqual(['egress_denied', false])
    expect(server.connections()).toBe(0)
  })

  test('headers that the connection decides, and values that cannot be sent', async () => {
    await using egress = createEgress({ policy: any })
    const route = egress.createRoute('http://127.0.0.1:1')
    for (const headers of [{ host: 'x' }, { a: 'b\r\nc: d' }, { 'a b': 'c' }]) {
      expect(() => send(route, { headers })).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      )
      expect(() => egress.createRoute('http://127.0.0.1:1', { headers })).toThrow()
    }
  })

  test('every call once the egress is closed, and those under way end', async () => {
    await using server = await startTestServer((_, response) => void response.write('begun'))
    const egress = createEgress({ policy: any })
    const route = egress.createRoute(server.origin)
    const { heard } = send(route)
    await waitFor(() => heard.text() === 'begun')
    await egress.close()
    await waitFor(() => heard.error)
    expect(heard.error?.code).toBe('cancelled')
    expect(() => send(route)).toThrow(expect.objectContaining({ code: 'cancelled' }))
  })
})

describe('whether a request was sent', () => {
  test('no, when nobody listens', async () => {
    await using egress = createEgress({ policy: any })
    const { heard, running } = send(egress.createRoute('http://127.0.0.1:1'))
    await waitFor(() => heard.error)
    expect(running.sent).toBe(false)
    expect(heard.error).toMatchObject({
      code: 'upstream_failed',
      message: '127.0.0.1:1 refused the connection.',
    })
  })

  test('yes, when the connection is cut before or in the answer', async () => {
    await using server = await startTestServer((request, response) => {
      if (request.url === '/body') response.write('begun')
    })
    await using proxy = await startFaultProxy({ target: server.origin })
    await using egress = createEgress({ policy: any })
    for (const path of ['/', '/body']) {
      await proxy.set({ kind: 'pass' })
      const { heard, running } = send(egress.createRoute(proxy.url + path.slice(1)))
      await waitFor(() => server.requests.includes(`GET ${path}`))
      await waitFor(() => path === '/' || heard.text() === 'begun')
      await proxy.set({ kind: 'reset' })
      await waitFor(() => heard.error)
      expect([heard.error?.code, running.sent]).toEqual(['upstream_failed', true])
    }
  })
})

describe('a call that is stopped', () => {
  test('closes its connection, and its sink hears nothing more', async () => {
    await using server = await startTestServer((_, response) => void response.write('begun'))
    await using egress = createEgress({ policy: any })
    const { heard, running } = send(egress.createRoute(server.origin))
    await waitFor(() => heard.text() === 'begun')
    running.stop()
    running.stop()
    await waitFor(() => server.open() === 0)
    expect([heard.ended, heard.error]).toEqual([false, undefined])
  })

  test('before it was sent is never sent', async () => {
    await using server = await startTestServer((_, response) => void response.end())
    await using egress = createEgress({ policy: any })
    const route = egress.createRoute(server.origin)
    const { heard, running } = send(route)
    running.stop()
    const { heard: next } = send(route, { path: '/next' })
    await waitFor(() => next.ended)
    expect(server.requests).toEqual(['GET /next'])
    expect([running.sent, heard.head]).toEqual([false, undefined])
  })
})

/** The value that no longer changes. */
async function settled(read: () => string): Promise<string> {
  let last = read()
  await waitFor(
    () => {
      const isSame = read().length === last.length
      last = read()
      return isSame && last.length > 0
    },
    { intervalMs: 100 },
  )
  return last
}
