import type { JsonRpcMessage } from '../rpc/messages.ts'
import { createHttpTransport } from './http/http-transport.ts'
import { type SeenRequest, sendStream, startHttpServer } from './http/test-http-server.ts'
import { createInProcessTransport } from './in-process.ts'
import { createSseTransport } from './sse/sse-transport.ts'
import { accept, startSseServer } from './sse/test-sse-server.ts'
import { createStdioTransport } from './stdio/stdio-transport.ts'
import { lineServer } from './stdio/test-transport.ts'
import type { Transport, TransportKind } from './transport.ts'

/** A way to a server that answers `say` with `params.text` as it is, and `hang` never. */
export interface Way extends AsyncDisposable {
  transport: Transport
}

/** Each way in which an answer can come. None is started. */
export const ways: { name: string; kind: TransportKind; open(): Promise<Way> }[] = [
  { name: 'stdio', kind: 'stdio', open: openStdio },
  { name: 'HTTP with a JSON reply', kind: 'http', open: () => openHttp(replyWithJson) },
  { name: 'HTTP with an SSE reply', kind: 'http', open: () => openHttp(replyWithStream) },
  { name: 'HTTP+SSE', kind: 'sse', open: openSse },
  { name: 'in-process', kind: 'in-process', open: openInProcess },
]

async function openStdio(): Promise<Way> {
  return toWay(createStdioTransport(lineServer))
}

async function openHttp(reply: (request: SeenRequest, text: string) => void): Promise<Way> {
  const server = await startHttpServer((request) => {
    const text = toText(request.message)
    if (text !== undefined) reply(request, text)
  })
  return toWay(createHttpTransport({ url: server.url }), server)
}

function replyWithJson({ response }: SeenRequest, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}

function replyWithStream({ response }: SeenRequest, text: string): void {
  sendStream(response, `data: ${text}\n\n`)
}

async function openSse(): Promise<Way> {
  const server = await startSseServer({
    onPost(request, { stream }) {
      accept(request)
      const text = toText(request.message)
      if (text !== undefined) sendStream(stream(), `event: message\ndata: ${text}\n\n`)
    },
  })
  return toWay(createSseTransport({ url: server.url }), server)
}

async function openInProcess(): Promise<Way> {
  const handler = (message: JsonRpcMessage) => toText(message) ?? new Promise(() => {})
  return toWay(createInProcessTransport(handler))
}

function toText(message: JsonRpcMessage): string | undefined {
  const isSay = 'method' in message && message.method === 'say'
  return isSay ? String(message.params?.text) : undefined
}

function toWay(transport: Transport, server?: AsyncDisposable): Way {
  return {
    transport,
    async [Symbol.asyncDispose]() {
      await transport.close()
      await server?.[Symbol.asyncDispose]()
    },
  }
}
