import { randomUUID } from 'node:crypto'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  ResultSchema,
  type ServerNotification,
  type ServerRequest,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { createEventStore } from './event-store.ts'
import { type FixtureCall, FixtureError } from './fixture/call.ts'
import { type Content, capabilities, createContent, serverInfo } from './fixture/content.ts'
import { readResource, resources, resourceTemplates } from './fixture/resources.ts'
import { type Fixture, listen } from './listen.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** An upstream of the SDK 1.x, the handshake era alone, with sessions and streams that resume. */
export function startLegacyFixture(): Promise<Fixture> {
  const content = createContent()
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return listen(async (request, response) => {
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    await (known ?? (await begin())).handleRequest(request, response)
  })

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      eventStore: createEventStore(),
      retryInterval: 50,
    })
    await createServer(content).connect(transport as never)
    return transport
  }
}

function createServer(content: Content): Server {
  const server = new Server(serverInfo, { capabilities })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: content.listTools() }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: content.listPrompts() }))
  server.setRequestHandler(SubscribeRequestSchema, () => ({}))
  server.setRequestHandler(UnsubscribeRequestSchema, () => ({}))
  server.setRequestHandler(SetLevelRequestSchema, () => ({}))
  server.setRequestHandler(CompleteRequestSchema, ({ params }) =>
    content.complete(params.argument.value),
  )
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    return readResource(uri) ?? fail(-32002, 'Resource not found', { uri })
  })
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }, extra) => {
    const found = await content.getPrompt(params.name, toCall(server, params.arguments, extra))
    return (found ?? fail(-32602, `Unknown prompt: ${params.name}`)) as never
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const call = toCall(server, params.arguments, extra)
    const running = content.callTool(params.name, call)
    return (running ?? fail(-32602, `Unknown tool: ${params.name}`)).catch(rethrow)
  })
  return server
}

function toCall(server: Server, args = {}, extra: Extra): FixtureCall {
  const { _meta, sendRequest, sendNotification, closeSSEStream } = extra
  const progressToken = _meta?.progressToken
  return {
    args,
    capabilities: server.getClientCapabilities() ?? {},
    async ask(questions) {
      const asked = Object.entries(questions).map(async ([key, question]) => {
        return [key, await sendRequest(question as never, ResultSchema)] as const
      })
      return Object.fromEntries(await Promise.all(asked))
    },
    log: (data) =>
      sendNotification({ method: 'notifications/message', params: { level: 'info', data } }),
    async progress(progress, total) {
      if (progressToken === undefined) return
      const params = { progressToken, progress, total }
      await sendNotification({ method: 'notifications/progress', params })
    },
    leaveStream: () => closeSSEStream?.(),
    changed: (list) =>
      void (list === 'tools' ? server.sendToolListChanged() : server.sendPromptListChanged()),
  }
}

function rethrow(error: unknown): never {
  if (error instanceof FixtureError) fail(error.code, error.message, error.data)
  throw error
}

function fail(code: number, message: string, data?: unknown): never {
  throw new McpError(code, message, data)
}
