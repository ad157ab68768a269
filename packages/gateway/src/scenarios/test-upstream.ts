import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  ResultSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'

/** A server of the SDK 1.x that asks, waits, changes and dies as a test wants it. */
export interface TestUpstream {
  url: string
  /** Calls of `wait` that are under way, and that were cancelled. */
  waits: { running: number; cancelled: number }
  /** Headers of all requests that came. */
  headers: Record<string, unknown>[]
  /** Methods of all requests about resources. */
  asked: string[]
  /** URIs that somebody wants to hear of now. */
  subscribed: Set<string>
  /** Tells all who are connected that a resource has changed. */
  change(uri: string): Promise<void>
  /** Cuts all connections and no longer listens. */
  kill(): Promise<void>
  /** Listens again at the same address. */
  comeBack(): Promise<void>
}

export const noteUri = 'note://today'

export async function startUpstream(): Promise<TestUpstream> {
  const sessions = new Map<string, { server: Server; transport: StreamableHTTPServerTransport }>()
  const waits = { running: 0, cancelled: 0 }
  const headers: Record<string, unknown>[] = []
  const subscribed = new Set<string>()
  const asked: string[] = []
  let port = 0
  let http = await listen()
  onTestFinished(kill)

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const server = createUpstreamServer({ waits, subscribed, asked })
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, { server, transport }),
    })
    await server.connect(transport as never)
    return transport
  }

  async function listen(): Promise<HttpServer> {
    const made = createHttpServer(async (request, response) => {
      headers.push(request.headers)
      const id = request.headers['mcp-session-id']
      if (id !== undefined && !sessions.has(String(id))) return void response.writeHead(404).end()
      const known = sessions.get(String(id))?.transport
      await (known ?? (await begin())).handleRequest(request, response)
    })
    made.listen(port, '127.0.0.1')
    await once(made, 'listening')
    port = (made.address() as AddressInfo).port
    return made
  }

  async function kill(): Promise<void> {
    if (!http.listening) return
    const closed = once(http, 'close')
    http.close()
    http.closeAllConnections()
    sessions.clear()
    await closed
  }

  return {
    ...{ waits, headers, subscribed, asked, kill, url: `http://127.0.0.1:${port}/mcp` },
    async change(uri) {
      for (const { server } of sessions.values()) await server.sendResourceUpdated({ uri })
    },
    async comeBack() {
      http = await listen()
    },
  }
}

type Shared = Pick<TestUpstream, 'waits' | 'subscribed' | 'asked'>

function createUpstreamServer({ waits, subscribed, asked }: Shared): Server {
  const server = new Server(
    { name: 'upstream', version: '1.0.0' },
    { capabilities: { tools: {}, resources: { subscribe: true } } },
  )
  const inputSchema = { type: 'object' as const }
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: ['greet', 'think', 'wait', 'say'].map((name) => ({ name, inputSchema })),
  }))
  server.setRequestHandler(ListResourcesRequestSchema, ({ method }) => {
    asked.push(method)
    return { resources: [{ uri: noteUri, name: 'Today' }] }
  })
  server.setRequestHandler(ListResourceTemplatesRequestSchema, ({ method }) => {
    asked.push(method)
    return { resourceTemplates: [] }
  })
  server.setRequestHandler(ReadResourceRequestSchema, () => ({
    contents: [{ uri: noteUri, text: 'Rain.' }],
  }))
  server.setRequestHandler(SubscribeRequestSchema, ({ method, params }) => {
    asked.push(method)
    subscribed.add(params.uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    subscribed.delete(params.uri)
    return {}
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { sendRequest, signal }) => {
    const question = questions[params.name]
    if (question !== undefined) {
      return toResult(await sendRequest(question as never, ResultSchema))
    }
    if (params.name === 'wait') await untilCancelled(signal, waits)
    return toResult(params.arguments ?? {})
  })
  return server
}

const properties = { name: { type: 'string' } }
const questions: Record<string, object> = {
  greet: {
    method: 'elicitation/create',
    params: { message: 'Who?', requestedSchema: { type: 'object', properties } },
  },
  think: {
    method: 'sampling/createMessage',
    params: {
      messages: [{ role: 'user', content: { type: 'text', text: 'Think.' } }],
      maxTokens: 10,
    },
  },
}

async function untilCancelled(signal: AbortSignal, waits: TestUpstream['waits']): Promise<void> {
  waits.running += 1
  await once(signal, 'abort')
  waits.cancelled += 1
}

function toResult(value: unknown) {
  return { content: [{ type: 'text' as const, text: JSON.stringify(value) }] }
}
