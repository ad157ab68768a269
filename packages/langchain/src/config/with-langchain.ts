import type { AgentConfig, AgentMiddleware, ModelPort } from '@dataagent/core'
import type { OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { createMessageBook, type MessageBook } from '../messages/index.ts'
import { fromLangChainMiddleware, type LangChainMiddleware } from '../middleware/index.ts'
import { fromLangChainModel } from '../models/index.ts'
import {
  createReturnDirect,
  type FromToolOptions,
  fromLangChainTool,
  type LangChainTool,
} from '../tools/index.ts'

/** The configuration of an agent whose parts may be LangChain's, ours, or mixed. */
export interface LangChainAgentConfig
  extends Omit<AgentConfig, 'model' | 'extra_tools' | 'extra_middleware'> {
  model?: AgentConfig['model'] | BaseChatModel
  extra_tools?: readonly (OwnTool | LangChainTool)[] | undefined
  extra_middleware?: readonly (AgentMiddleware | LangChainMiddleware)[] | undefined
  /** What holds for LangChain's tools, those of middlewares included. */
  tool_options?: ((tool_name: string) => FromToolOptions | undefined) | undefined
}

/**
 * The configuration for `factory.createAgent`. Throws `config_invalid` that names what is neither
 * LangChain's nor ours, and for what its adapters refuse.
 */
export function withLangChain(config: LangChainAgentConfig): AgentConfig {
  const { model, extra_tools = [], extra_middleware = [], tool_options, ...rest } = config
  const book = createMessageBook()
  const direct = extra_tools.filter(isLangChainTool).filter(({ returnDirect }) => returnDirect)
  const middleware = extra_middleware.map((one) => toMiddleware(one, { book, tool_options }))
  if (direct.length > 0) middleware.push(createReturnDirect(direct.map(({ name }) => name)))
  return {
    ...rest,
    ...(model !== undefined && { model: toModel(model, book) }),
    extra_tools: extra_tools.map((tool) => toTool(tool, tool_options)),
    extra_middleware: middleware,
  }
}

function toModel(model: NonNullable<LangChainAgentConfig['model']>, book: MessageBook) {
  if (typeof model === 'string') return model
  if (isChatModel(model)) return fromLangChainModel(model, { book })
  if (isPort(model)) return model
  throw refused('model', model, 'a name, a ModelPort or a chat model of LangChain')
}

/** By shape: another copy of the package has other classes. */
function isChatModel(model: object): model is BaseChatModel {
  const { _modelType } = model as { _modelType?: () => string }
  return typeof _modelType === 'function' && _modelType.call(model) === 'base_chat_model'
}

function isPort(model: object): model is ModelPort {
  const { stream, contextWindow } = model as Partial<ModelPort>
  return typeof stream === 'function' && typeof contextWindow === 'number'
}

function toTool(
  tool: OwnTool | LangChainTool,
  optionsOf: LangChainAgentConfig['tool_options'],
): OwnTool {
  if (isLangChainTool(tool)) return fromLangChainTool(tool, optionsOf?.(tool.name))
  if (typeof tool?.run === 'function' && tool.inputSchema) return tool
  throw refused('extra_tools', tool, 'a tool of defineTool or of LangChain')
}

function isLangChainTool(tool: OwnTool | LangChainTool): tool is LangChainTool {
  const { invoke, schema } = (tool ?? {}) as Partial<LangChainTool>
  return typeof invoke === 'function' && schema !== undefined
}

const hooks = ['beforeAgent', 'beforeModel', 'wrapModelCall', 'afterModel', 'wrapToolCall'] as const

function toMiddleware(
  middleware: AgentMiddleware | LangChainMiddleware,
  { book, tool_options }: { book: MessageBook } & Pick<LangChainAgentConfig, 'tool_options'>,
): AgentMiddleware {
  if (isLangChainMiddleware(middleware)) {
    return fromLangChainMiddleware(middleware, { book, toolOptions: tool_options })
  }
  const isOurs = [...hooks, 'afterAgent', 'systemPrompt', 'tools', 'stateSchema'].some(
    (part) => part in Object(middleware),
  )
  if (isOurs && typeof middleware.name === 'string') return middleware
  throw refused('extra_middleware', middleware, 'a middleware of ours or of LangChain')
}

/** The mark that `createMiddleware` sets, which LangChain registers for all copies of it. */
const brand = Symbol.for('AgentMiddleware')

function isLangChainMiddleware(
  middleware: AgentMiddleware | LangChainMiddleware,
): middleware is LangChainMiddleware {
  return brand in Object(middleware)
}

function refused(field: string, given: unknown, expected: string): AppError {
  const { name } = Object(given) as { name?: unknown }
  const what = typeof name === 'string' ? name : JSON.stringify(given)
  return new AppError(
    'config_invalid',
    `The agent's ${field} has ${what}, which is not ${expected}.`,
  )
}
