import type { OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type {
  AgentMiddleware,
  ModelCall,
  ModelReply,
  Runtime,
  ToolCallRequest,
  ToolReply,
} from './contract.ts'
import { createRunHooks, type RunHooks } from './run-hooks.ts'
import { assertStateSchema } from './state-update.ts'
import { createSystemPrompt } from './system-prompt.ts'
import { createWrappedCall, type WrappedCall } from './wrap-calls.ts'

/**
 * A list of middlewares as the engine runs them, in the order that `AgentMiddleware` tells. A hook
 * that no middleware has costs nothing; the others are awaited only where they give a promise. A
 * hook that asks to jump is the last one to run. What a hook throws comes out as an error that
 * names the middleware, with its code where it has one; what the model or the tool rejects with
 * comes out as it is.
 */
export interface ComposedMiddleware {
  readonly tools: readonly OwnTool[]
  /** The middlewares' own fields with their defaults, made anew for each run. */
  initialState(): Record<string, unknown>
  /** The texts of all, in the order of the list with an empty line between; often empty. */
  systemPrompt(runtime: Runtime): string | Promise<string>
  readonly beforeAgent: RunHooks
  readonly beforeModel: RunHooks
  readonly modelCall: WrappedCall<ModelCall, ModelReply>
  readonly afterModel: RunHooks
  readonly toolCall: WrappedCall<ToolCallRequest, ToolReply>
  readonly afterAgent: RunHooks
}

/**
 * Composes middlewares. Throws `config_invalid` where two have one name or a state has no defaults.
 */
export function composeMiddleware(list: readonly AgentMiddleware[]): ComposedMiddleware {
  assertNames(list)
  for (const middleware of list) assertStateSchema(middleware)
  const schemas = list.flatMap(({ stateSchema }) => stateSchema ?? [])
  const inwards = list.toReversed()
  return {
    tools: list.flatMap(({ tools }) => tools ?? []),
    initialState: () => Object.assign({}, ...schemas.map((schema) => schema.parse({}))),
    systemPrompt: createSystemPrompt(list),
    beforeAgent: createRunHooks(list, 'beforeAgent'),
    beforeModel: createRunHooks(list, 'beforeModel'),
    modelCall: createWrappedCall(list, 'wrapModelCall'),
    afterModel: createRunHooks(inwards, 'afterModel'),
    toolCall: createWrappedCall(list, 'wrapToolCall'),
    afterAgent: createRunHooks(inwards, 'afterAgent'),
  }
}

function assertNames(list: readonly AgentMiddleware[]): void {
  const names = new Set<string>()
  for (const { name } of list) {
    if (typeof name !== 'string' || name === '') {
      throw new AppError('config_invalid', 'a middleware needs a name')
    }
    if (names.has(name)) {
      throw new AppError('config_invalid', `there are two middlewares named ${name}`)
    }
    names.add(name)
  }
}
