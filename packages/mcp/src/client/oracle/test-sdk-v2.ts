import {
  acceptedContent,
  inputRequired,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as content from './test-content.ts'

/** How a server tells of changes where it lives for one request alone. */
export interface Publisher {
  toolsChanged(): void
  listsChanged(): void
  resourceUpdated(uri: string): void
}

/** A server of the SDK 2.x: both eras. */
export function createServerV2(publisher?: Publisher): Server {
  const server = new Server(content.serverInfo, { capabilities: content.capabilities })
  server.setRequestHandler('tools/list', () => ({ tools: content.tools }))
  server.setRequestHandler('resources/list', ({ params }) => content.resourcePage(params?.cursor))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: content.resourceTemplates,
  }))
  server.setRequestHandler('resources/read', ({ params }) => {
    if (content.isResource(params.uri)) return content.readResource(params.uri)
    throw new ProtocolError(-32602, 'no such resource', { uri: params.uri })
  })
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
  server.setRequestHandler('prompts/list', () => ({ prompts: content.prompts }))
  server.setRequestHandler('prompts/get', ({ params }) => content.getPrompt(params.arguments?.whom))
  server.setRequestHandler('completion/complete', ({ params }) =>
    content.complete(params.argument.value),
  )
  addTools(server, publisher ?? toPublisher(server))
  return server
}

function toPublisher(server: Server): Publisher {
  return {
    toolsChanged: () => void server.sendToolListChanged(),
    listsChanged() {
      void server.sendResourceListChanged()
      void server.sendPromptListChanged()
    },
    resourceUpdated: (uri) => void server.sendResourceUpdated({ uri }),
  }
}

function addTools(server: Server, publisher: Publisher): void {
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: args = {} } = params
    const { mcpReq } = context
    const call = {
      ...{ name, args, signal: mcpReq.signal, progressToken: mcpReq._meta?.progressToken },
      notify: (method: string, rest: Record<string, unknown>) =>
        mcpReq.notify({ method, params: rest } as never),
    }
    const plain = await content.callPlainTool(call)
    if (plain !== undefined) return plain
    switch (name) {
      case 'ask_person':
      case 'ask_model':
      case 'ask_roots':
        return ask(name, context)
      case 'change_tools':
        publisher.toolsChanged()
        return content.text('changed')
      case 'change_lists':
        publisher.listsChanged()
        return content.text('changed')
      case 'touch':
        publisher.resourceUpdated(String(args.uri))
        return content.text('touched')
      case 'log':
        await mcpReq.log('info', 'a line', 'oracle')
        return content.text('logged')
    }
    throw new Error(`no tool ${name}`)
  })
}

function ask(name: 'ask_person' | 'ask_model' | 'ask_roots', { mcpReq }: ServerContext) {
  const answers = mcpReq.inputResponses
  if (answers === undefined) {
    const requestState = ' opaque \u00e9 state '
    if (name === 'ask_person') {
      const inputRequests = { it: inputRequired.elicit(content.personQuestion) }
      return inputRequired({ inputRequests, requestState })
    }
    if (name === 'ask_roots')
      return inputRequired({ inputRequests: { it: inputRequired.listRoots() } })
    const inputRequests = { it: inputRequired.createMessage(content.modelQuestion) }
    return inputRequired({ inputRequests })
  }
  const given = answers.it as Record<string, unknown>
  if (name === 'ask_person') {
    const isSame = mcpReq.requestState() === ' opaque \u00e9 state '
    const accepted = acceptedContent<{ name: string }>(answers, 'it')
    return content.text(`${given.action} ${accepted?.name}${isSame ? '' : ' (state lost)'}`)
  }
  if (name === 'ask_roots') {
    return content.text((given.roots as { uri: string }[]).map(({ uri }) => uri).join())
  }
  return content.text((given.content as { text: string }).text)
}
