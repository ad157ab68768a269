import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface TestServer extends AsyncDisposable {
  port: number
  /** `http://127.0.0.1:1234`, or https. */
  origin: string
  /** How many connections have been accepted, whatever came over them. */
  connections(): number
  open(): number
  requests: string[]
}

export interface TestServerOptions {
  host?: string
  port?: number
  tls?: { cert: string; key: string }
}

/** A real HTTP(S) server on loopback for tests, which counts what reaches it. */
export async function startTestServer(
  handler: RequestListener,
  { host = '127.0.0.1', port = 0, tls }: TestServerOptions = {},
): Promise<TestServer> {
  const sockets = new Set<Socket>()
  const requests: string[] = []
  let accepted = 0
  const listener: RequestListener = (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    handler(request, response)
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.on('connection', (socket: Socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    origin: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    connections: () => accepted,
    open: () => sockets.size,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
