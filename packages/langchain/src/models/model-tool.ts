import type { ModelTool } from '@dataagent/core'
import { AppError } from '@dataagent/schema'
import type { BindToolsInput } from '@langchain/core/language_models/chat_models'
import { isLangChainTool } from '@langchain/core/utils/function_calling'
import { toJsonSchema } from '@langchain/core/utils/json_schema'

/**
 * A tool as our models are told of it, from all that `bindTools` takes. Throws `invalid_request`
 * for one that a provider runs itself: a `ModelPort` has none.
 */
export function toModelTool(tool: BindToolsInput): ModelTool {
  const { name, description, schema, type, function: named, input_schema } = tool as Given
  if (isLangChainTool(tool)) return make(name, description, toSchema(schema))
  if (type === 'function' && named) return make(named.name, named.description, named.parameters)
  if (typeof name === 'string' && (schema ?? input_schema)) {
    return make(name, description, toSchema(schema ?? input_schema))
  }
  throw new AppError(
    'invalid_request',
    `The tool ${name ?? type ?? 'without a name'} is the provider's own and cannot be passed on.`,
  )
}

interface Given {
  name?: string
  description?: string
  schema?: unknown
  input_schema?: unknown
  type?: string
  function?: { name: string; description?: string; parameters?: unknown }
}

function make(name = '', description = '', parameters: unknown = {}): ModelTool {
  const { $schema: _, ...rest } = parameters as Record<string, unknown>
  return { name, description, parameters: { type: 'object', ...rest } }
}

/** As a caller writes it: a field with a default may be left out. */
function toSchema(schema: unknown) {
  return toJsonSchema(schema as never, { io: 'input' } as never)
}
