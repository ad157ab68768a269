import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { MallControl } from '../control.ts'
import type { Demo } from '../demo.ts'
import { createDemoEndpoint, demoPath } from './demo-endpoint.ts'
import { type Sessions, toUrl } from './sessions.ts'

export interface HttpServerOptions {
  port: number
  token: string | undefined
  demo: Demo
  /** None where the tools are reached over stdio and this serves `/_demo` alone. */
  sessions?: Sessions
}

export interface HttpServer {
  port: number
  control: MallControl
  close(): Promise<void>
}

/** Listens on loopback alone. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { port, demo, sessions } = options
  const sockets = new Set<Socket>()
  const control: MallControl = {
    ...demo.control,
    async dropStreams() {
      for (const socket of sockets) socket.destroy()
    },
    forgetSessions: async () => sessions?.closeAll(),
  }
  const handle = createHandler(options, control)
  const server = createServer((request, response) => {
    // Who asks for the streams to be dropped is no stream, and hears the answer.
    if (isDemo(request)) sockets.delete(request.socket)
    handle(request, response).catch((error: Error) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(error.message)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    control,
    async close() {
      if (!server.listening) return
      await demo.control.answer('normal')
      await sessions?.closeAll()
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>

function createHandler(
  { token, demo, sessions }: HttpServerOptions,
  control: MallControl,
): Handler {
  const endpoint = createDemoEndpoint(control)
  return async (request, response) => {
    if (!isLocal(request)) return void response.writeHead(403).end()
    if (isDemo(request)) return endpoint(request, response)
    const answer = await demo.nextAnswer()
    if (answer === 401 || !hasToken(request, token)) return refuse(response)
    if (answer !== 'normal') return void response.writeHead(answer).end()
    if (await sessions?.handle(request, response)) return
    response.writeHead(404).end()
  }
}

function isDemo(request: IncomingMessage): boolean {
  return toUrl(request).pathname.startsWith(demoPath)
}

/** A page in a browser that was led here by a name of its own is not let in. */
function isLocal({ headers }: IncomingMessage): boolean {
  const hosts = [`http://${headers.host}`, headers.origin ?? 'http://localhost']
  return hosts.every(
    (host) => URL.canParse(host) && ['127.0.0.1', 'localhost'].includes(new URL(host).hostname),
  )
}

function hasToken({ headers }: IncomingMessage, token: string | undefined): boolean {
  return token === undefined || headers.authorization === `Bearer ${token}`
}

function refuse(response: ServerResponse): void {
  response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
}
