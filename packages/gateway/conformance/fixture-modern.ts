import { randomBytes } from 'node:crypto'
import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  inputRequired,
  ProtocolError,
  type RequestStateCodec,
  Server,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { type Answers, type FixtureCall, FixtureError, type Question } from './fixture/call.ts'
import { capabilities, createContent, serverInfo } from './fixture/content.ts'
import { readResource, resources, resourceTemplates } from './fixture/resources.ts'
import { type Fixture, listen } from './listen.ts'

/** An upstream of the SDK 2.x that refuses the handshake: the modern era alone. */
export function startModernFixture(): Promise<Fixture> {
  const content = createContent()
  const codec = createRequestStateCodec<Answers>({ key: randomBytes(32) })
  const handler = createMcpHandler(createFixtureServer, { legacy: 'reject' })
  return listen(toNodeHandler(handler) as Parameters<typeof listen>[0])

  /** A new one for each request, as the SDK wants it. */
  function createFixtureServer(): Server {
    const requestState = { verify: codec.verify }
    const server = new Server(serverInfo, { capabilities, requestState })
    server.setRequestHandler('tools/list', () => ({ tools: content.listTools() }))
    server.setRequestHandler('resources/list', () => ({ resources }))
    server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }))
    server.setRequestHandler('prompts/list', () => ({ prompts: content.listPrompts() }))
    server.setRequestHandler('completion/complete', ({ params }) =>
      content.complete(params.argument.value),
    )
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      return readResource(uri) ?? fail(-32602, 'Resource not found', { uri })
    })
    server.setRequestHandler('prompts/get', async ({ params }, context) =>
      inRounds(context, codec, async (ask) => {
        const found = await content.getPrompt(params.name, { args: params.arguments ?? {}, ask })
        return (found ?? fail(-32602, `Unknown prompt: ${params.name}`)) as never
      }),
    )
    server.setRequestHandler('tools/call', async ({ params }, context) =>
      inRounds(context, codec, async (ask) => {
        const call = toCall(context, { args: params.arguments ?? {}, ask, tell: handler.notify })
        const running = content.callTool(params.name, call)
        return (await (running ?? fail(-32602, `Unknown tool: ${params.name}`))) as never
      }),
    )
    return server
  }
}

/** Thrown by `ask` where the client has not answered yet: the request comes again with it. */
class InputNeeded extends Error {
  readonly questions: Record<string, Question>

  constructor(questions: Record<string, Question>) {
    super('input is needed')
    this.name = 'InputNeeded'
    this.questions = questions
  }
}

/** The answers of earlier rounds are in the state, so that the work can begin anew each time. */
async function inRounds<T>(
  context: ServerContext,
  codec: RequestStateCodec<Answers>,
  work: (ask: FixtureCall['ask']) => Promise<T>,
) {
  const { mcpReq } = context
  const answers = { ...mcpReq.requestState<Answers>(), ...(mcpReq.inputResponses as Answers) }
  try {
    return await work(async (questions) => {
      const open = Object.entries(questions).filter(([key]) => !Object.hasOwn(answers, key))
      if (open.length > 0) throw new InputNeeded(Object.fromEntries(open))
      return answers
    })
  } catch (error) {
    if (error instanceof FixtureError) fail(error.code, error.message, error.data)
    if (!(error instanceof InputNeeded)) throw error
    const requestState = await codec.mint(answers, context)
    return inputRequired({ inputRequests: error.questions as never, requestState })
  }
}

interface CallParts extends Pick<FixtureCall, 'args' | 'ask'> {
  tell: ServerNotifier
}

function toCall({ mcpReq }: ServerContext, { args, ask, tell }: CallParts): FixtureCall {
  const progressToken = mcpReq._meta?.progressToken
  const envelope: Record<string, unknown> = { ...mcpReq.envelope }
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined
  return {
    ...{ args, ask, capabilities: declared ?? {} },
    log: (text) => mcpReq.log('info', text),
    async progress(progress, total) {
      if (progressToken === undefined) return
      const params = { progressToken, progress, total }
      await mcpReq.notify({ method: 'notifications/progress', params })
    },
    // There is nothing to take up again in this era.
    leaveStream: () => {},
    changed: (list) => (list === 'tools' ? tell.toolsChanged() : tell.promptsChanged()),
  }
}

function fail(code: number, message: string, data?: unknown): never {
  throw new ProtocolError(code, message, data)
}
