import { once } from 'node:events'
import {
  request as ask,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { createRota, type Rota } from './rota.ts'

/** Takes HTTP and WebSockets at one address and gives them to nodes that are ready. */
export interface Balancer extends AsyncDisposable {
  readonly url: string
  /** Where nodes are; may change at any time. */
  setNodes(urls: readonly string[]): void
  /** Waits until all nodes have been asked anew and exactly so many are ready. */
  whenReady(count: number): Promise<void>
  /** Requests that no node could take. */
  readonly refused: number
}

export interface BalancerOptions {
  /** Default: a free one. */
  port?: number | undefined
}

/**
 * As small as a balancer can be that loses no request: a node is in turn while its readiness says
 * so, and a request whose connection fails before it was sent goes to another one.
 */
export async function startBalancer({ port = 0 }: BalancerOptions = {}): Promise<Balancer> {
  const rota = createRota()
  const sockets = new Set<Socket>()
  let refused = 0
  const refuse = (response: ServerResponse) => {
    refused += 1
    response.writeHead(503, { 'retry-after': '1' }).end('No node is ready.')
  }
  const server = createServer({ requestTimeout: 0 }, (request, response) =>
    pass({ request, response, rota, refuse, tried: new Set() }),
  )
  server.on('upgrade', (request, socket, head) =>
    passUpgrade({ request, socket: socket as Socket, head, rota }),
  )
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    setNodes: rota.setNodes,
    whenReady: rota.whenReady,
    get refused() {
      return refused
    },
    async [Symbol.asyncDispose]() {
      rota[Symbol.dispose]()
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Passing {
  request: IncomingMessage
  response: ServerResponse
  rota: Rota
  refuse(response: ServerResponse): void
  tried: Set<string>
}

/** Each request has a connection of its own: none is lost on one that the node was just closing. */
function pass(passing: Passing): void {
  const { request, response, rota, tried } = passing
  const node = rota.next(tried)
  if (node === undefined) {
    passing.refuse(response)
    return
  }
  tried.add(node)
  const release = rota.take(node)
  const outgoing = ask(new URL(request.url ?? '/', node), {
    ...{ method: request.method, headers: withSender(request), agent: false },
  })
  let isSent = false
  outgoing.once('socket', (socket) =>
    socket.once('connect', () => {
      isSent = true
      request.pipe(outgoing)
    }),
  )
  outgoing.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, kept(answer.headers))
    answer.pipe(response)
    answer.once('error', () => response.destroy())
  })
  outgoing.once('error', () => {
    release()
    if (!isSent) pass(passing)
    else if (response.headersSent) response.destroy()
    else response.writeHead(502).end('The node broke off.')
  })
  response.once('close', () => {
    release()
    outgoing.destroy()
  })
}

/** What is between this balancer and one side is not for the other. */
function kept({ connection: _, 'keep-alive': __, ...headers }: IncomingHttpHeaders) {
  return headers
}

function withSender(request: IncomingMessage): IncomingHttpHeaders {
  return { ...kept(request.headers), 'x-forwarded-for': request.socket.remoteAddress }
}

interface Upgrade {
  request: IncomingMessage
  socket: Socket
  head: Buffer
  rota: Rota
}

function passUpgrade({ request, socket, head, rota }: Upgrade, tried = new Set<string>()): void {
  const node = rota.next(tried)
  socket.on('error', () => {})
  if (node === undefined) {
    socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
    return
  }
  tried.add(node)
  const release = rota.take(node)
  const { hostname, port } = new URL(node)
  const onward = connect(Number(port), hostname)
  onward.once('connect', () => {
    onward.write(toHead(request))
    onward.write(head)
    socket.pipe(onward).pipe(socket)
  })
  onward.once('error', () => {
    if (onward.bytesWritten === 0) passUpgrade({ request, socket, head, rota }, tried)
    else socket.destroy()
  })
  onward.once('close', () => {
    release()
    if (onward.bytesWritten > 0) socket.destroy()
  })
  socket.once('close', () => onward.destroy())
}

function toHead({ method, url, rawHeaders, socket }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`, `x-forwarded-for: ${socket.remoteAddress}`]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
