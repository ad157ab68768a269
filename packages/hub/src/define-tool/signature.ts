import { AppError, type JsonObject } from '@dataagent/schema'
import { z } from 'zod'

/**
 * A zod schema as JSON Schema 2020-12: types, items, values and descriptions in full; fields
 * without a default are required, objects take no fields that are not named.
 */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', what: string): JsonObject {
  try {
    const made = z.toJSONSchema(schema, { io, target: 'draft-2020-12', override })
    const { $schema: _, ...rest } = made
    return rest as JsonObject
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('config_invalid', `${what} has no JSON Schema: ${why}`, { cause })
  }
}

interface Made {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
  path: (string | number)[]
}

function override({ zodSchema, jsonSchema, path }: Made): void {
  const { def } = zodSchema._zod
  const isPlain = def.type === 'object' && def.catchall === undefined
  // Within an intersection each part would refuse the fields of the others.
  if (isPlain && !path.includes('allOf')) jsonSchema.additionalProperties = false
  tidy(jsonSchema)
}

/** Takes out what says nothing: bounds of safe integers, names that are strings. */
function tidy(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  const { propertyNames } = schema
  const isString = typeof propertyNames === 'object' && propertyNames.type === 'string'
  if (isString && Object.keys(propertyNames).length === 1) delete schema.propertyNames
}
