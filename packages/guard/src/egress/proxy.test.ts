import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createTestCertificate, waitFor } from '@dataagent/testkit'
import { describe, expect, test } from 'vitest'
import { createEgress } from './egress.ts'
import { startTestServer } from './testing/test-server.ts'

const any = { mode: 'any' } as const
const open = { mode: 'public' } as const

/** A proxy that resolves every name to loopback, as a hostile name server would make it. */
async function startProxy({ status = 200, auth = '', hang = false } = {}) {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const isWelcome = (header: string | undefined) =>
    auth === '' || header === `Basic ${Buffer.from(auth).toString('base64')}`

  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const refusal = isWelcome(request.headers['proxy-authorization']) ? status : 407
    if (refusal !== 200) return void response.writeHead(refusal).end()
    const { port, pathname } = new URL(request.url ?? '')
    const { 'proxy-authorization': _, ...headers } = request.headers
    const onward = { host: '127.0.0.1', port, path: pathname, method: request.method, headers }
    const upstream = httpRequest(onward, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    request.pipe(upstream)
  })
  server.on('connect', (request, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    if (hang) return void socket.on('end', () => socket.end()).resume()
    const refusal = isWelcome(request.headers['proxy-authorization']) ? status : 407
    if (refusal !== 200) {
      return void socket.end(`HTTP/1.1 ${refusal} No\r\ncontent-length: 0\r\n\r\n`)
    }
    const upstream = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1')
    upstream.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(upstream).pipe(socket)
    })
    for (const one of [socket, upstream])
      one.on('error', () => {}).on('close', () => upstream.destroy())
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    asked,
    url: auth === '' ? `http://127.0.0.1:${port}` : `http://${auth}@127.0.0.1:${port}`,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('through a proxy', () => {
  test('https goes by CONNECT and is encrypted end to end', async () => {
    const tls = createTestCertificate('inside.example')
    await using server = await startTestServer((_, response) => void response.end('secret'), {
      tls,
    })
    await using proxy = await startProxy()
    await using egress = createEgress({ policy: any, proxy: proxy.url, ca: [tls.cert] })
    const answer = await egress.request(`https://inside.example:${server.port}/x`)
    expect(await answer.text()).toBe('secret')
    expect(proxy.asked).toEqual([`CONNECT inside.example:${server.port}`])
  })

  test('http is forwarded', async () => {
    await using server = await startTestServer((_, response) => void response.end('plain'))
    await using proxy = await startProxy()
    await using egress = createEgress({ policy: any, proxy: proxy.url })
    const answer = await egress.request(`http://inside.example:${server.port}/x`)
    expect(await answer.text()).toBe('plain')
    expect(proxy.asked).toEqual([`GET http://inside.example:${server.port}/x`])
  })

  test('a call can name its own, without a connection shared with those that have none', async () => {
    await using server = await startTestServer((_, response) => void response.end('plain'))
    await using proxy = await startProxy()
    await using egress = createEgress({ policy: any })
    await (await egress.request(server.origin)).text()
    await (await egress.request(server.origin, { proxy: proxy.url })).text()
    await (await egress.request(server.origin)).text()
    expect(proxy.asked).toHaveLength(1)
    expect(server.requests).toHaveLength(3)
  })

  test('credentials of the proxy reach the proxy and nobody else', async () => {
    const tls = createTestCertificate('inside.example')
    const seen: unknown[] = []
    await using server = await startTestServer(
      (request, response) => {
        seen.push(request.headers)
        response.end('ok')
      },
      { tls },
    )
    await using plain = await startTestServer((request, response) => {
      seen.push(request.headers)
      response.end('ok')
    })
    await using proxy = await startProxy({ auth: 'user:password' })
    await using egress = createEgress({ policy: any, proxy: proxy.url, ca: [tls.cert] })
    await (await egress.request(`https://inside.example:${server.port}/`)).text()
    await (await egress.request(`http://inside.example:${plain.port}/`)).text()
    expect(seen).toHaveLength(2)
    expect(JSON.stringify(seen)).not.toContain('proxy-authorization')
  })
})

describe('a public policy behind a proxy', () => {
  test('refuses a name before the proxy hears of it [T7]', async () => {
    await using server = await startTestServer((_, response) => void response.end('inside'))
    await using proxy = await startProxy()
    await using egress = createEgress({ policy: open, proxy: proxy.url })
    for (const scheme of ['http', 'https']) {
      const asked = egress.request(`${scheme}://rebind.example:${server.port}/`)
      await expect(asked).rejects.toMatchObject({ code: 'egress_denied' })
    }
    expect(proxy.asked).toEqual([])
    expect(server.connections()).toBe(0)
  })

  test('lets an allowed name and a public literal through, and no other literal', async () => {
    await using server = await startTestServer((_, response) => void response.end('inside'))
    await using proxy = await startProxy()
    const policy = { mode: 'public', allowedAddresses: ['wiki.example'] } as const
    await using egress = createEgress({ policy, proxy: proxy.url })
    const get = async (host: string) =>
      (await egress.request(`http://${host}:${server.port}/`)).text()
    expect(await get('wiki.example')).toBe('inside')
    expect(await get('93.184.216.34')).toBe('inside')
    await expect(get('127.0.0.1')).rejects.toMatchObject({ code: 'egress_denied' })
    await expect(get('localhost')).rejects.toMatchObject({ code: 'egress_denied' })
    await expect(get('[::ffff:7f00:1]')).rejects.toMatchObject({ code: 'egress_denied' })
    expect(proxy.asked).toHaveLength(2)
  })

  test('refuses a redirect to a name [T7]', async () => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(302, { location: `http://rebind.example:${server.port}/` }).end()
    })
    await using proxy = await startProxy()
    const policy = { mode: 'public', allowedAddresses: ['wiki.example'] } as const
    await using egress = createEgress({ policy, proxy: proxy.url })
    const asked = egress.request(`http://wiki.example:${server.port}/`)
    await expect(asked).rejects.toMatchObject({ code: 'egress_denied' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a proxy that fails', () => {
  const password = 'pr0xy-canary-password'

  test.each([
    ['refuses', { status: 403, auth: '' }],
    ['wants other credentials', { status: 200, auth: 'other:credentials' }],
  ])('and %s gives a typed error without its credentials', async (_, options) => {
    await using proxy = await startProxy(options)
    const url = proxy.url.replace(/\/\/(.*@)?/, `//user:${password}@`)
    await using egress = createEgress({ policy: any, proxy: url })
    for (const scheme of ['http', 'https']) {
      const answer = await egress.request(`${scheme}://inside.example:1/`).catch((thrown) => thrown)
      expect(inspectDeep(answer)).not.toContain(password)
      expect(inspectDeep(answer)).not.toContain(Buffer.from(`user:${password}`).toString('base64'))
      expect(answer.code ?? answer.status).toBeOneOf(['upstream_failed', options.status])
    }
  })

  test('by not being there gives a typed error without its credentials', async () => {
    const proxy = `http://user:${password}@127.0.0.1:1`
    await using egress = createEgress({ policy: any, proxy })
    const error = await egress.request('https://inside.example/').catch((thrown) => thrown)
    expect(error).toMatchObject({ code: 'upstream_failed' })
    expect(inspectDeep(error)).not.toContain(password)
  })

  test('by hanging is cut at the deadline', async () => {
    await using proxy = await startProxy({ hang: true })
    await using egress = createEgress({ policy: any, proxy: proxy.url })
    const asked = egress.request('https://inside.example/', { timeoutMs: 100 })
    await expect(asked).rejects.toMatchObject({ code: 'timeout' })
    await egress.close()
    await waitFor(() => proxy.open() === 0)
  })

  test.each(['socks5://127.0.0.1:1', 'nonsense', `http://user:%ZZ${password}@127.0.0.1:1`])(
    'to be an address is refused at the start: %s',
    (proxy) => {
      let error: unknown
      try {
        createEgress({ policy: any, proxy })
      } catch (thrown) {
        error = thrown
      }
      expect(error).toMatchObject({ code: 'config_invalid' })
      expect(inspectDeep(error)).not.toContain(password)
    },
  )
})

function inspectDeep(error: unknown): string {
  const parts: string[] = []
  for (let at = error; at !== undefined && at !== null; at = (at as Error).cause) {
    const one = at as Error
    parts.push(String(one.message), String(one.stack), JSON.stringify(one))
  }
  return parts.join('\n')
}
