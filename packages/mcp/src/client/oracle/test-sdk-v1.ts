import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import * as content from './test-content.ts'

/** A server of the SDK 1.x: the handshake era alone. */
export function createServerV1(): Server {
  const server = new Server(content.serverInfo, { capabilities: content.capabilities })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: content.tools }))
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    content.resourcePage(params?.cursor),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: content.resourceTemplates,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => {
    if (content.isResource(params.uri)) return content.readResource(params.uri)
    throw new McpError(-32602, 'no such resource', { uri: params.uri })
  })
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    content.subscriptions.push(`+${params.uri}`)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    content.subscriptions.push(`-${params.uri}`)
    return {}
  })
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: content.prompts }))
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    content.getPrompt(params.arguments?.whom),
  )
  server.setRequestHandler(CompleteRequestSchema, ({ params }) =>
    content.complete(params.argument.value),
  )
  addTools(server)
  return server
}

function addTools(server: Server): void {
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { name, arguments: args = {}, _meta } = params
    const notify = (method: string, rest: object) =>
      extra.sendNotification({ method, params: rest } as ServerNotification)
    const call = { name, args, signal: extra.signal, progressToken: _meta?.progressToken, notify }
    const plain = await content.callPlainTool(call)
    if (plain !== undefined) return plain
    switch (name) {
      case 'ask_person': {
        const request = { method: 'elicitation/create' as const, params: content.personQuestion }
        const { action, content: given } = await extra.sendRequest(request, ElicitResultSchema)
        return content.text(`${action} ${given?.name}`)
      }
      case 'ask_model': {
        const request = { method: 'sampling/createMessage' as const, params: content.modelQuestion }
        const { content: part } = await extra.sendRequest(request, CreateMessageResultSchema)
        return content.text(part.type === 'text' ? part.text : part.type)
      }
      case 'ask_roots': {
        const request = { method: 'roots/list' as const }
        const { roots } = await extra.sendRequest(request, ListRootsResultSchema)
        return content.text(roots.map(({ uri }) => uri).join())
      }
      case 'change_tools':
        await server.sendToolListChanged()
        return content.text('changed')
      case 'change_lists':
        await server.sendResourceListChanged()
        await server.sendPromptListChanged()
        return content.text('changed')
      case 'touch':
        await server.sendResourceUpdated({ uri: String(args.uri) })
        return content.text('touched')
      case 'log':
        await notify('notifications/message', { level: 'info', logger: 'oracle', data: 'a line' })
        return content.text('logged')
    }
    throw new Error(`no tool ${name}`)
  })
}
