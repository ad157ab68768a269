type Schema = Record<string, unknown>

/**
 * A value that fits a JSON Schema of the kind tools have; strings are `text`, numbers come of
 * `seed`.
 */
export function exampleValue(schema: Schema, text: string, seed: number): unknown {
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[seed % schema.enum.length]
  const choice = [schema.anyOf, schema.oneOf].find(Array.isArray)?.[0]
  if (choice) return exampleValue(choice as Schema, text, seed)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'string':
      return fitString(schema, text)
    case 'integer':
    case 'number':
      return Math.min(Number(schema.maximum ?? 1e9), Number(schema.minimum ?? 1) + (seed % 100))
    case 'boolean':
      return seed % 2 === 0
    case 'array':
      return [exampleValue((schema.items ?? { type: 'string' }) as Schema, text, seed)]
    case 'null':
      return null
    default:
      return exampleObject(schema, text, seed)
  }
}

function exampleObject(schema: Schema, text: string, seed: number): Schema {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const required = Array.isArray(schema.required) ? schema.required : []
  const wanted = properties.filter(([name]) => required.includes(name))
  return Object.fromEntries(
    wanted.map(([name, property]) => [name, exampleValue(property, text, seed)]),
  )
}

function fitString({ maxLength, minLength }: Schema, text: string): string {
  const long = (text || 'text').slice(0, Number(maxLength ?? 200))
  return long.padEnd(Number(minLength ?? 0), '.')
}
