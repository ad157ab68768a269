import type { AgentMiddleware } from '@dataagent/core'
import { AppError } from '@dataagent/schema'
import { createMessageBook, type MessageBook } from '../messages/index.ts'
import { createReturnDirect, type FromToolOptions, fromLangChainTool } from '../tools/index.ts'
import type { HookName, LangChainMiddleware, Theirs } from './contract.ts'
import { createHookRuntime } from './hook-runtime.ts'
import type { Means } from './means.ts'
import { toWrapModelCall } from './model-call.ts'
import { createRunChanges } from './run-changes.ts'
import { readStateFields } from './state-fields.ts'
import { toStateHook } from './state-hook.ts'
import { hasThreadLimit } from './thread-limit.ts'
import { createScenes, toWrapToolCall } from './tool-call.ts'

export interface FromMiddlewareOptions {
  /** What holds for the tools that it brings. Default: as `fromLangChainTool` has it. */
  toolOptions?: ((tool_name: string) => FromToolOptions | undefined) | undefined
  /** For messages that other adapters have made. */
  book?: MessageBook | undefined
}

/**
 * A middleware of LangChain 1.x on our hooks. Its state lives as long as a run, as in LangChain
 * without a checkpointer. Runs share nothing. Refused, with what to do in place of it:
 * `humanInTheLoopMiddleware` and `interrupt`, a `threadLimit`, `responseFormat`, stream
 * transformers, tools that are not in `tools`, a `Command` that goes elsewhere.
 */
export function fromLangChainMiddleware(
  middleware: LangChainMiddleware,
  options: FromMiddlewareOptions = {},
): AgentMiddleware {
  const theirs = middleware as Theirs
  assertSupported(theirs)
  const { book = createMessageBook() } = options
  const { tools = [], wrapModelCall, wrapToolCall } = theirs
  const fields = readStateFields(theirs.name, theirs.stateSchema)
  const scenes = createScenes()
  const means: Means = {
    ...{ fields, book, changes: createRunChanges(fields, book) },
    toRuntime: createHookRuntime(theirs),
    returnDirect: toReturnDirect(theirs),
  }
  const mayChange = tools.length > 0 || wrapModelCall !== undefined || wrapToolCall !== undefined

  function hook(name: HookName, isNeeded: boolean) {
    if (theirs[name] === undefined && !isNeeded) return {}
    return { [name]: toStateHook(theirs, name, means) }
  }

  return {
    name: theirs.name,
    ...(tools.length > 0 && {
      tools: tools.map((tool) =>
        fromLangChainTool(tool, {
          ...options.toolOptions?.(tool.name),
          sceneOf: () => scenes.getStore(),
        }),
      ),
    }),
    ...(fields.schema && { stateSchema: fields.schema }),
    ...hook('beforeAgent', theirs.contextSchema !== undefined),
    ...hook('beforeModel', mayChange),
    ...hook('afterModel', false),
    ...hook('afterAgent', mayChange),
    ...(wrapModelCall && { wrapModelCall: toWrapModelCall(theirs, wrapModelCall, means) }),
    ...((wrapToolCall || tools.length > 0) && {
      wrapToolCall: toWrapToolCall(theirs, means, scenes),
    }),
  }
}

function toReturnDirect({ tools = [] }: Theirs): AgentMiddleware | undefined {
  const direct = tools.filter(({ returnDirect }) => returnDirect).map(({ name }) => name)
  return direct.length === 0 ? undefined : createReturnDirect(direct)
}

function assertSupported(theirs: Theirs): void {
  const { name, streamTransformers = [], tools = [] } = theirs
  if (name === 'HumanInTheLoopMiddleware') {
    throw refused(name, "asks people itself: give its tools approval: 'ask', or a policy rule")
  }
  if (hasThreadLimit(theirs)) throw refused(name, threadLimit)
  if (streamTransformers.length > 0) throw refused(name, 'transforms a stream of LangGraph')
  const foreign = tools.find((tool) => typeof tool.invoke !== 'function')
  if (foreign) throw refused(name, `brings ${toLabel(foreign)}, which the provider runs itself`)
}

const threadLimit =
  'has a threadLimit, and what it counts lasts a run: give it a runLimit, or use it in a graph'

function toLabel(tool: object): string {
  const { name, type } = tool as { name?: string; type?: string }
  return `the tool ${name ?? type ?? 'without a name'}`
}

function refused(name: string, why: string): AppError {
  return new AppError('config_invalid', `The middleware ${name} cannot be used: it ${why}.`)
}
