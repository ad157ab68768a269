import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** A proxy that passes on, and notes, what it is asked for. */
export interface ForwardProxy extends AsyncDisposable {
  /** With the user and password that it asks for. */
  url: string
  asked: string[]
}

export async function startForwardProxy(password: string): Promise<ForwardProxy> {
  const asked: string[] = []
  const expected = `Basic ${Buffer.from(`hub:${password}`).toString('base64')}`
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    const { 'proxy-authorization': given, ...headers } = request.headers
    if (given !== expected) return void response.writeHead(407).end()
    asked.push(`${request.url}`)
    const { method } = request
    const onward = httpRequest(new URL(`${request.url}`), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
    request.pipe(onward)
  })
  server.on('connect', (request, socket: Socket) => {
    if (request.headers['proxy-authorization'] !== expected) {
      return void socket.end('HTTP/1.1 407 No\r\n\r\n')
    }
    asked.push(`${request.url}`)
    const { hostname, port } = new URL(`http://${request.url}`)
    const onward = connect(Number(port), hostname)
    onward.on('connect', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    const end = () => void [socket.destroy(), onward.destroy()]
    for (const one of [socket, onward]) one.on('error', () => {}).on('close', end)
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://hub:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
