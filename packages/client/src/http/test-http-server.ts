import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface RecordedRequest {
  method: string
  /** Path and query. */
  url: string
  headers: IncomingMessage['headers']
  body: string
}

export interface TestHttpServer extends AsyncDisposable {
  baseUrl: string
  requests: RecordedRequest[]
}

/** Answers request number `at`, from 0; may break off instead. */
export type Answer = (
  response: ServerResponse,
  request: RecordedRequest,
  at: number,
) => void | Promise<void>

/** A real server whose answers a test writes. */
export async function startHttpServer(answer: Answer): Promise<TestHttpServer> {
  const requests: RecordedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const recorded = { method, url, headers, body: Buffer.concat(chunks).toString() }
    requests.push(recorded)
    await answer(response, recorded, requests.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r1' })
  response.end(JSON.stringify(body))
}
