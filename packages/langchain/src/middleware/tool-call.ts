import { AsyncLocalStorage } from 'node:async_hooks'
import type { AgentMiddleware, ToolCallRequest, ToolReply } from '@dataagent/core'
import type { CatalogueEntry } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { ToolMessage } from '@langchain/core/messages'
import { type Command, isCommand } from '@langchain/langgraph'
import { isAsIn, type Snapshot, toSnapshot } from '../messages/index.ts'
import { countedElsewhere, countingUsage } from '../models/index.ts'
import { type LangChainTool, readCommand, splitAnswer, type ToolScene } from '../tools/index.ts'
import type { Fields, Theirs, Wrap } from './contract.ts'
import { toUnderstood } from './hook-runtime.ts'
import type { Means } from './means.ts'
import { fromToolMessage } from './replies.ts'
import { createShownTools } from './shown-tools.ts'
import { toTheirState } from './their-state.ts'

type OwnWrap = NonNullable<AgentMiddleware['wrapToolCall']>

/** What a tool of the middleware finds of the call that it is in. */
export type Scenes = AsyncLocalStorage<ToolScene>

export function createScenes(): Scenes {
  return new AsyncLocalStorage()
}

interface Asked {
  toolCall: { id?: string; name: string; args: Record<string, unknown> }
  tool: LangChainTool | undefined
  state: Fields
  runtime: Fields
}

/** `wrapToolCall` of LangChain around calls that go through the hub. */
export function toWrapToolCall(theirs: Theirs, means: Means, scenes: Scenes): OwnWrap {
  const { fields, book, changes, toRuntime } = means
  const show = createShownEntries(theirs)

  function sceneOf({ state, runtime }: ToolCallRequest): ToolScene {
    const { context } = toRuntime(runtime)
    return {
      state: toTheirState(changes.look(state, runtime), fields, book),
      context,
      update: (changed) => changes.note(runtime, changed),
    }
  }

  return (request, handler) => {
    const inScene = (asked: ToolCallRequest) => scenes.run(sceneOf(request), () => handler(asked))
    if (theirs.wrapToolCall === undefined) return inScene(request)
    const { call, entry, state, runtime } = request
    const asked: Asked = {
      toolCall: { ...call, type: 'tool_call' } as Asked['toolCall'],
      tool: entry && show(entry),
      state: toTheirState(changes.look(state, runtime), fields, book),
      runtime: toRuntime(runtime),
    }
    return runWrapped(theirs.wrapToolCall, { asked, request, theirs, changes, handler: inScene })
  }
}

interface Wrapped extends Pick<Means, 'changes'> {
  asked: Asked
  request: ToolCallRequest
  theirs: Theirs
  handler(request: ToolCallRequest): Promise<ToolReply>
}

async function runWrapped(wrap: Wrap, wrapped: Wrapped): Promise<ToolReply> {
  const { asked, request, theirs, changes, handler } = wrapped
  const replies = new WeakMap<object, { reply: ToolReply; snapshot: Snapshot }>()

  async function run(changed: Asked): Promise<ToolMessage> {
    const next = toRequest(theirs.name, request, { asked, changed })
    const reply = await countedElsewhere(() => handler(next))
    if (mayPass.has(reply.outcome)) throw new ToolFailure(reply)
    const { id: tool_call_id, name } = request.call
    const { content, status } = reply
    const message = new ToolMessage({ content, tool_call_id, name, status })
    replies.set(message, { reply, snapshot: toSnapshot(message) })
    return message
  }

  try {
    const call = () => wrap(asked as never, run as never)
    const given = await countingUsage(request.runtime.addUsage, call)
    if (isCommand(given)) return takeCommand(given as Command, wrapped)
    if (!ToolMessage.isInstance(given)) throw notAnAnswer(theirs.name)
    const known = replies.get(given)
    return known && isAsIn(known.snapshot, given) ? known.reply : fromToolMessage(given)
  } catch (error) {
    if (error instanceof ToolFailure) return error.reply
    throw toUnderstood(error)
  }

  function takeCommand(command: Command, { request: { call, runtime } }: Wrapped): ToolReply {
    const { answer, rest } = splitAnswer(readCommand(command, `middleware ${theirs.name}`), call.id)
    changes.note(runtime, rest)
    return fromToolMessage(answer ?? new ToolMessage({ content: '', tool_call_id: call.id }))
  }
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

function toRequest(
  middleware: string,
  request: ToolCallRequest,
  { asked, changed }: { asked: Asked; changed: Asked },
): ToolCallRequest {
  if (changed.tool !== asked.tool && changed.tool !== undefined) {
    throw new AppError(
      'invalid_result',
      `middleware ${middleware} brings the tool ${changed.tool.name} to a call: it must be in ` +
        '"tools", so that it is governed',
    )
  }
  const { name, args } = changed.toolCall
  const isSame = name === request.call.name
  const call = { id: request.call.id, name, args }
  return { ...request, call, entry: isSame ? request.entry : undefined }
}

function notAnAnswer(middleware: string): AppError {
  const told = `middleware ${middleware} gave neither a ToolMessage nor a Command`
  return new AppError('invalid_result', told)
}

function createShownEntries({ name: middleware, tools = [] }: Theirs) {
  const { show } = createShownTools(middleware, tools)
  const shown = new WeakMap<CatalogueEntry, LangChainTool>()
  return (entry: CatalogueEntry): LangChainTool => {
    const { name, description, inputSchema: parameters } = entry.tool.definition
    const made = shown.get(entry) ?? show({ name, description, parameters })
    shown.set(entry, made)
    return made
  }
}
