import type { OwnTool } from '@dataagent/hub'
import type { JsonObject } from '@dataagent/schema'
import { AIMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { toJsonSchema } from '@langchain/core/utils/json_schema'
import { z } from 'zod'
import type {
  AgentMiddleware,
  AgentState,
  ModelReply,
  Runtime,
  StateUpdate,
  ToolReply,
} from './contract.ts'
import { createMessageBook, type MessageBook } from './test-langchain-messages.ts'

type Fields = Record<string, unknown>
type Handler = (request: Fields) => Promise<unknown>

/** LangChain's middleware without its types, which speak of its own graph. */
interface Theirs {
  name: string
  tools?: readonly StructuredToolInterface[]
  stateSchema?: { shape: Record<string, { parse(value: unknown): unknown }> }
  wrapModelCall?(request: Fields, handler: Handler): unknown
  wrapToolCall?(request: Fields, handler: Handler): unknown
  [hook: string]: unknown
}

/** A middleware of LangChain on our hooks. */
export function fromLangChain(langChain: { readonly name: string }): AgentMiddleware {
  const theirs = langChain as unknown as Theirs
  const book = createMessageBook()
  /** What tools put into the state: they cannot, so the next hook does. */
  const pending = new Map<string, Fields>()

  const toHook = (name: string) => {
    const hook = hookOf(theirs[name])
    return async (state: AgentState, runtime: Runtime): Promise<StateUpdate | undefined> => {
      const waiting = pending.get(runtime.run_id)
      pending.delete(runtime.run_id)
      const given = await hook?.(toTheirState({ ...state, ...waiting }, book), toRuntime(runtime))
      return waiting || given
        ? { ...waiting, ...toStateUpdate(given ?? {}, state, book) }
        : undefined
    }
  }

  const tools = (theirs.tools ?? []).map((tool) => toOwnTool(tool, pending))
  const { wrapModelCall, wrapToolCall } = theirs
  return {
    name: theirs.name,
    tools,
    stateSchema: toStateSchema(theirs.stateSchema),
    ...(theirs.beforeAgent !== undefined && { beforeAgent: toHook('beforeAgent') }),
    beforeModel: toHook('beforeModel'),
    ...(theirs.afterModel !== undefined && { afterModel: toHook('afterModel') }),
    afterAgent: toHook('afterAgent'),
    ...(wrapModelCall && { wrapModelCall: toWrapModelCall(wrapModelCall, book) }),
    ...(wrapToolCall && { wrapToolCall: toWrapToolCall(wrapToolCall, book) }),
  }
}

type Hook = (state: Fields, runtime: Fields) => Promise<Fields | undefined>

function hookOf(hook: unknown): Hook | undefined {
  if (typeof hook === 'object' && hook !== null) return (hook as { hook: Hook }).hook
  return hook as Hook | undefined
}

function toTheirState(state: AgentState, book: MessageBook): Fields {
  return { ...state, messages: state.messages.map(book.toLangChain) }
}

function toRuntime({ context, signal, session_id }: Runtime): Fields {
  return { context, signal, configurable: { thread_id: session_id } }
}

function toStateUpdate(given: Fields, state: AgentState, book: MessageBook): StateUpdate {
  const { messages, ...rest } = given
  if (messages === undefined) return rest
  return { ...rest, ...book.toUpdate(state.messages, messages as AIMessage[]) }
}

/** Its fields are of another zod, so they are called rather than taken. */
function toStateSchema(theirs: Theirs['stateSchema']): z.ZodObject | undefined {
  if (!theirs) return undefined
  const fields = Object.entries(theirs.shape).filter(([name]) => name !== 'messages')
  const called = fields.map(([name, field]) => [
    name,
    z.preprocess((value) => field.parse(value), z.unknown()),
  ])
  return z.object(Object.fromEntries(called))
}

function toWrapModelCall(
  wrap: NonNullable<Theirs['wrapModelCall']>,
  book: MessageBook,
): NonNullable<AgentMiddleware['wrapModelCall']> {
  return async (request, handler) => {
    const replies = new WeakMap<object, ModelReply>()
    const theirRequest = {
      ...request,
      systemMessage: new SystemMessage(request.systemPrompt),
      messages: request.messages.map(book.toLangChain),
      state: toTheirState(request.state, book),
      runtime: toRuntime(request.runtime),
    }
    const given = await wrap(theirRequest, async (changed) => {
      const { systemMessage, messages } = changed as typeof theirRequest
      const reply = await handler({
        ...request,
        systemPrompt: systemMessage.text,
        messages: messages.map(book.fromLangChain),
      })
      const message = toAiMessage(reply)
      replies.set(message, reply)
      return message
    })
    return replies.get(given as object) ?? fromAiMessage(given as AIMessage)
  }
}

function toAiMessage({ content, calls }: ModelReply): AIMessage {
  const tool_calls = calls.map(({ id, name, args = {} }) => ({ id, name, args }))
  return new AIMessage({ content, tool_calls })
}

function fromAiMessage({ text, tool_calls = [] }: AIMessage): ModelReply {
  const calls = tool_calls.map(({ id = '', name, args }) => ({
    ...{ id, name, args, raw: JSON.stringify(args) },
  }))
  return { content: text, reasoning: [], calls, usage: undefined, finish: 'stop' }
}

/** A failed call as LangChain has it: thrown, so that a retry sees it. */
class ToolFailure extends Error {
  readonly reply: ToolReply

  constructor(reply: ToolReply) {
    super(reply.content)
    this.reply = reply
  }
}

/** Ends that another try may change; a refusal of a person or a rule is told as it is. */
const mayPass: ReadonlySet<string> = new Set(['error', 'failed', 'timeout', 'unavailable'])

function toWrapToolCall(
  wrap: NonNullable<Theirs['wrapToolCall']>,
  book: MessageBook,
): NonNullable<AgentMiddleware['wrapToolCall']> {
  return async (request, handler) => {
    const { call, entry, state, runtime } = request
    const replies = new WeakMap<object, ToolReply>()
    const theirRequest = {
      toolCall: { ...call, type: 'tool_call' },
      tool: entry && { name: entry.tool.name },
      state: toTheirState(state, book),
      runtime: toRuntime(runtime),
    }
    const run: Handler = async (changed) => {
      const { toolCall } = changed as typeof theirRequest
      const reply = await handler({ ...request, call: toolCall })
      if (mayPass.has(reply.outcome)) throw new ToolFailure(reply)
      const message = new ToolMessage({ content: reply.content, tool_call_id: call.id })
      replies.set(message, reply)
      return message
    }
    try {
      const given = (await wrap(theirRequest, run)) as ToolMessage
      return replies.get(given) ?? fromToolMessage(given)
    } catch (error) {
      if (error instanceof ToolFailure) return error.reply
      throw error
    }
  }
}

function fromToolMessage({ text, status }: ToolMessage): ToolReply {
  const isError = status === 'error'
  return {
    content: text,
    status: isError ? 'error' : 'success',
    outcome: isError ? 'failed' : 'ok',
    result: text,
  }
}

function toOwnTool(tool: StructuredToolInterface, pending: Map<string, Fields>): OwnTool {
  return {
    name: tool.name,
    title: undefined,
    description: tool.description,
    category: 'langchain',
    inputSchema: toJsonSchema(tool.schema) as JsonObject,
    outputSchema: undefined,
    annotations: {},
    approval: 'allow',
    untrusted: false,
    idempotent: false,
    timeoutMs: undefined,
    async run(args, { tool_call_id = '', run, signal }) {
      const call = { name: tool.name, args, id: tool_call_id, type: 'tool_call' as const }
      const given = await tool.invoke(call, { signal })
      const { messages, ...fields } = (given as { update?: Fields }).update ?? {}
      if (run) pending.set(run.run_id, { ...pending.get(run.run_id), ...fields })
      const message = Array.isArray(messages) ? messages[0] : given
      const { text, status } = message as ToolMessage
      return { content: [{ type: 'text', text }], isError: status === 'error' }
    },
  }
}
