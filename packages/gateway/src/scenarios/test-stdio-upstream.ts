// A program: a server of the official SDK over stdio, of the era that its argument names.
import { Server as LegacyServer } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  ResultSchema,
  SetLevelRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { inputRequired, Server, type ServerContext } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Answers, FixtureCall, Question } from '../../conformance/fixture/call.ts'
import { capabilities, createContent, serverInfo } from '../../conformance/fixture/content.ts'
import { readResource, resources } from '../../conformance/fixture/resources.ts'

const content = createContent()
const quiet = { leaveStream: () => {}, changed: () => {} }

function createLegacy(): LegacyServer {
  const server = new LegacyServer(serverInfo, { capabilities })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: content.listTools() }))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }))
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: content.listPrompts() }))
  server.setRequestHandler(SetLevelRequestSchema, () => ({}))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(params.uri)!)
  server.setRequestHandler(CompleteRequestSchema, ({ params }) =>
    content.complete(params.argument.value),
  )
  server.setRequestHandler(GetPromptRequestSchema, async ({ params }) => {
    const call = { args: params.arguments ?? {}, ask: async () => ({}) }
    return (await content.getPrompt(params.name, call)) as never
  })
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const { sendRequest, sendNotification, _meta } = extra
    const notify = (method: string, more: object) =>
      sendNotification({ method, params: more } as never)
    const answer = async ([key, question]: [string, Question]) =>
      [key, await sendRequest(question as never, ResultSchema)] as const
    return content.callTool(params.name, {
      ...{ ...quiet, args: params.arguments ?? {} },
      capabilities: { ...server.getClientCapabilities() },
      ask: async (questions) =>
        Object.fromEntries(await Promise.all(Object.entries(questions).map(answer))),
      log: (data) => notify('notifications/message', { level: 'info', data }),
      progress: (progress, total) =>
        notify('notifications/progress', { progressToken: _meta?.progressToken, progress, total }),
    }) as never
  })
  return server
}

function createModern(): Server {
  const server = new Server(serverInfo, { capabilities })
  server.setRequestHandler('tools/list', () => ({ tools: content.listTools() }))
  server.setRequestHandler('resources/list', () => ({ resources }))
  server.setRequestHandler('prompts/list', () => ({ prompts: content.listPrompts() }))
  server.setRequestHandler('resources/read', ({ params }) => readResource(params.uri)!)
  server.setRequestHandler('completion/complete', ({ params }) =>
    content.complete(params.argument.value),
  )
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const call = { args: params.arguments ?? {}, ask: async () => ({}) }
    return (await content.getPrompt(params.name, call)) as never
  })
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    // One round is enough for the tools that are called here.
    const answers = (mcpReq.inputResponses ?? {}) as Answers
    let open: Record<string, Question> | undefined
    const asking = Promise.withResolvers<never>()
    const call: FixtureCall = {
      ...{ ...quiet, args: params.arguments ?? {}, capabilities: {} },
      async ask(questions) {
        if (Object.keys(questions).every((key) => Object.hasOwn(answers, key))) return answers
        open = questions
        asking.reject(new Error('input is needed'))
        return asking.promise
      },
      ...tellingOf(mcpReq),
    }
    try {
      return (await content.callTool(params.name, call)) as never
    } catch (error) {
      if (open === undefined) throw error
      return inputRequired({ inputRequests: open as never })
    }
  })
  return server
}

function tellingOf(mcpReq: ServerContext['mcpReq']): Pick<FixtureCall, 'log' | 'progress'> {
  const progressToken = mcpReq._meta?.progressToken
  return {
    log: (text) => mcpReq.log('info', text),
    async progress(progress, total) {
      if (progressToken === undefined) return
      const params = { progressToken, progress, total }
      await mcpReq.notify({ method: 'notifications/progress', params })
    },
  }
}

if (process.argv[2] === 'legacy') await createLegacy().connect(new StdioServerTransport())
else serveStdio(createModern, { legacy: 'reject' })
