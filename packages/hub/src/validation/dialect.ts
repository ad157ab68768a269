import type { JsonObject } from '@dataagent/schema'

export type Dialect = 'draft-07' | '2019-09' | '2020-12'

/**
 * The dialect by `$schema`. MCP says 2020-12 where there is none. Draft-04 and draft-06 are read as
 * draft-07: what they spell otherwise (`exclusiveMinimum: true`) is then rejected by its shape.
 */
export function dialectOf(schema: JsonObject): Dialect | undefined {
  const { $schema } = schema
  if ($schema === undefined) return '2020-12'
  if (typeof $schema !== 'string') return undefined
  return known.get($schema.replace(/^https?:\/\//, '').replace(/#$/, ''))
}

const known: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft-04/schema', 'draft-07'],
  ['json-schema.org/draft-06/schema', 'draft-07'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  ['json-schema.org/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
])
