import { request as send } from 'node:http'
import { type Fixture, listen } from './listen.ts'

export interface ForwarderOptions {
  /** Where the gateway listens. */
  port(): number
  /** What a client that shows nothing is let in by. */
  key(): string
}

/**
 * Stands before the gateway for clients that know no credentials: those of the official suites. A
 * request goes on as it came, Host and Origin too, with the key; the answer goes back as it comes.
 */
export function startForwarder({ port, key }: ForwarderOptions): Promise<Fixture> {
  return listen((request, response) => {
    const { method, url: path = '/', rawHeaders } = request
    const isOpen = request.headers.authorization === undefined && path === '/mcp'
    const headers = isOpen ? [...rawHeaders, 'authorization', `Bearer ${key()}`] : rawHeaders
    const onward = send({ host: '127.0.0.1', port: port(), method, path, headers, setHost: false })
    request.pipe(onward)
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      response.flushHeaders()
      answer.pipe(response)
      answer.on('close', () => answer.complete || response.destroy())
    })
    onward.on('error', () => response.destroy())
    response.on('close', () => onward.destroy())
  })
}
