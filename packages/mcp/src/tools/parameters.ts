import { isPlainObject } from '@dataagent/schema/base'
import type { ToolParameter } from './contract.ts'

/** The JSON Schema of an object with these parameters. */
export function toSchema(parameters: readonly ToolParameter[]): Record<string, unknown> {
  // Not by assignment: a parameter may be called `__proto__`.
  const properties = Object.fromEntries(parameters.map((each) => [each.name, toProperty(each)]))
  const required = parameters.filter((each) => each.required).map((each) => each.name)
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

function toProperty({ type, description }: ToolParameter): Record<string, unknown> {
  return { ...(type !== undefined && { type }), ...(description !== undefined && { description }) }
}

/**
 * The parameters that the top level of a server's `inputSchema` names, in its order. What is not
 * there or malformed gives none.
 */
export function fromSchema(inputSchema: unknown): ToolParameter[] {
  if (!isPlainObject(inputSchema) || !isPlainObject(inputSchema.properties)) return []
  const { properties, required } = inputSchema
  const requiredNames = new Set<unknown>(Array.isArray(required) ? required : [])
  return Object.entries(properties).flatMap(([name, property]) => {
    if (!isPlainObject(property)) return []
    const { type, description } = property
    return {
      name,
      ...(typeof type === 'string' && { type }),
      ...(typeof description === 'string' && { description }),
      required: requiredNames.has(name),
    }
  })
}
