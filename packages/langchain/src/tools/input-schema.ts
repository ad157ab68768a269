import { AppError, type JsonObject } from '@dataagent/schema'
import { toJsonSchema } from '@langchain/core/utils/json_schema'
import type { LangChainTool } from './from-langchain-tool.ts'

/** The arguments of a tool as JSON Schema, from zod 3, zod 4, a standard schema or JSON Schema. */
export function toInputSchema({ name, schema }: LangChainTool): JsonObject {
  const { $schema: _, ...made } = convert(name, schema)
  const isObject = made.type === 'object' || (made.type === undefined && made.properties)
  if (isObject) return { ...made, type: 'object' } as JsonObject
  throw refused(name, 'must describe an object')
}

function convert(name: string, schema: unknown): JsonObject {
  try {
    // As a caller writes it: a field with a default may be left out.
    return toJsonSchema(schema as never, { io: 'input' } as never) as JsonObject
  } catch (cause) {
    throw refused(name, 'has no JSON Schema', cause)
  }
}

function refused(name: string, why: string, cause?: unknown): AppError {
  return new AppError('config_invalid', `The schema of the tool ${name} ${why}.`, { cause })
}
