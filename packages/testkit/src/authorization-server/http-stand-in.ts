import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request as it came in. */
export interface StandInRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  /** The body as text. */
  body: string
}

/** What a stand-in answers; an object is sent as JSON. */
export interface StandInAnswer {
  status?: number
  headers?: Record<string, string>
  body?: string | object
}

/**
 * Answers in place of the stand-in, or lets it answer by giving nothing. `hang` never answers;
 * `cut` drops the connection.
 */
export type Intercept = (
  request: StandInRequest,
) => StandInAnswer | 'hang' | 'cut' | undefined | Promise<StandInAnswer | undefined>

export interface HttpStandIn extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly origin: string
  /** All that was asked, oldest first. */
  readonly requests: StandInRequest[]
  intercept: Intercept | undefined
}

/** A real HTTP server on loopback that records, and that a test may interrupt. */
export async function startHttpStandIn(
  handle: (request: StandInRequest) => StandInAnswer | Promise<StandInAnswer>,
): Promise<HttpStandIn> {
  const server = createServer((incoming, response) => void answer(incoming, response))
  const requests: StandInRequest[] = []

  async function answer(incoming: IncomingMessage, response: ServerResponse) {
    const url = new URL(incoming.url ?? '/', 'http://stand.in')
    const { method = 'GET', headers } = incoming
    const body = await text(incoming).catch(() => '')
    const request = { method, path: url.pathname, query: url.searchParams, headers, body }
    requests.push(request)
    const intercepted = await standIn.intercept?.(request)
    if (intercepted === 'hang') return
    if (intercepted === 'cut') return void incoming.socket.destroy()
    send(response, intercepted ?? (await handle(request)))
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const standIn: HttpStandIn = {
    origin: `http://127.0.0.1:${port}`,
    requests,
    intercept: undefined,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return standIn
}

function send(response: ServerResponse, { status = 200, headers = {}, body = '' }: StandInAnswer) {
  const isText = typeof body === 'string'
  response.writeHead(status, {
    'content-type': isText ? 'text/plain' : 'application/json',
    ...headers,
  })
  response.end(isText ? body : JSON.stringify(body))
}

export const notFound: StandInAnswer = { status: 404, body: 'Not Found' }
