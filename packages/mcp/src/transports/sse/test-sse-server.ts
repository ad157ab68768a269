import type { ServerResponse } from 'node:http'
import type { HttpTransportOptions } from '../http/http-options.ts'
import {
  type SeenRequest,
  sendStream,
  startHttpServer,
  type TestHttpServer,
  toEvent,
} from '../http/test-http-server.ts'
import { startTransport, type TestTransport } from '../http/test-http-transport.ts'
import { createSseTransport } from './sse-transport.ts'

export interface TestSseServer extends TestHttpServer {
  /** The stream that was opened last. */
  stream(): ServerResponse
  /** Sends a message on it. */
  say(message: unknown): void
}

export interface SseServerOptions {
  /** What the first event names as the place for messages. */
  endpoint?: string
  /** What is done with a message; by default it is accepted. */
  onPost?: (request: SeenRequest, server: TestSseServer) => void
  onGet?: (request: SeenRequest) => void
}

/** A server of revision 2024-11-05. */
export async function startSseServer(options: SseServerOptions = {}): Promise<TestSseServer> {
  const { endpoint = '/messages?sessionId=s1', onPost = accept, onGet } = options
  let stream: ServerResponse | undefined
  const started = await startHttpServer((request) => {
    if (request.method === 'POST') return onPost(request, server)
    if (onGet !== undefined) return onGet(request)
    stream = request.response
    sendStream(stream, `event: endpoint\ndata: ${endpoint}\n\n`)
  })
  const server: TestSseServer = {
    ...started,
    url: `${started.origin}/sse`,
    stream() {
      if (stream === undefined) throw new Error('no stream was opened')
      return stream
    },
    say: (message) => sendStream(server.stream(), toEvent(message, 'event: message\n')),
  }
  return server
}

/** Says that a message was taken. */
export function accept({ response }: SeenRequest): void {
  response.writeHead(202).end('Accepted')
}

/** A started transport over HTTP+SSE. */
export function openSse(options: HttpTransportOptions): Promise<TestTransport> {
  return startTransport(createSseTransport(options))
}
