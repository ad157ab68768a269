import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface WebRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export interface WebAnswer {
  status?: number
  headers?: OutgoingHttpHeaders
  body?: string | Uint8Array
}

/** A web server on loopback that keeps what it was asked. */
export interface TestWeb extends AsyncDisposable {
  origin: string
  requests: WebRequest[]
}

/** Starts one; `pages` answers by path, and what it has not is 404. */
export async function startWeb(
  pages: Record<string, WebAnswer | ((request: WebRequest) => WebAnswer)>,
): Promise<TestWeb> {
  const requests: WebRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const asked = { method, path, headers, body: await text(request) }
    requests.push(asked)
    const page = pages[path.split('?', 1)[0] ?? ''] ?? { status: 404, body: 'nothing here' }
    const {
      status = 200,
      headers: sent = {},
      body,
    } = typeof page === 'function' ? page(asked) : page
    response.writeHead(status, { connection: 'close', ...sent }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}
