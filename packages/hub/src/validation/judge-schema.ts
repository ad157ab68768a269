import type { JsonObject } from '@dataagent/schema'
import type { SchemaJudgement } from './contract.ts'
import { type Dialect, dialectOf } from './dialect.ts'
import { findExcess, type JsonExcess } from './json-size.ts'
import { weighPattern } from './pattern-weight.ts'
import { kindOfPattern } from './safe-pattern.ts'
import { SchemaFault, type SchemaGraph, toSchemaGraph } from './schema-graph.ts'
import { plainLimits, type SchemaLimits } from './schema-limits.ts'
import { weigh } from './schema-weight.ts'

export interface JudgedSchema {
  judgement: SchemaJudgement
  dialect: Dialect
  /** Checks per part of a value, by estimate. */
  weight: number
}

/** What a schema is, before it is compiled. Pure, and linear in the schema's size. */
export function judge(schema: JsonObject, limits: SchemaLimits): JudgedSchema {
  const excess = findExcess(schema, { bytes: limits.bytes, depth: limits.depth * 2 + 8 })
  if (excess) return rejected(toWhy(excess, limits))
  const dialect = dialectOf(schema)
  if (!dialect) return rejected('is of a dialect (`$schema`) that is not known here')
  try {
    return judgeGraph(toSchemaGraph(schema, limits), toDialect, limits)
  } catch (error) {
    if (error instanceof SchemaFault) return rejected(error.message)
    throw error
  }

  /** Servers that name no dialect often write lists of items as draft-07 has them. */
  function toDialect({ hasTuples }: SchemaGraph): Dialect {
    if (!hasTuples || dialect !== '2020-12') return dialect!
    if (schema.$schema === undefined) return 'draft-07'
    throw new SchemaFault('has a list as `items`, which 2020-12 writes as `prefixItems`')
  }
}

function judgeGraph(
  graph: SchemaGraph,
  toDialect: (graph: SchemaGraph) => Dialect,
  limits: SchemaLimits,
): JudgedSchema {
  const dialect = toDialect(graph)
  const { expansion, weight, endless, branching } = weigh(graph)
  if (endless) throw new SchemaFault('refers to itself without an end')
  if (expansion > limits.expansion) {
    throw new SchemaFault(`expands to more than ${limits.expansion} subschemas`)
  }
  const why = suspicionOf(graph, weight, branching)
  return { judgement: why ? { status: 'suspicious', why } : { status: 'plain' }, dialect, weight }
}

function suspicionOf(
  { nodes, patterns }: SchemaGraph,
  weight: number,
  branching: boolean,
): string | undefined {
  if (nodes.length > plainLimits.subschemas) return `has ${nodes.length} subschemas`
  if (branching) return 'recurs along several branches at once'
  if (weight > plainLimits.weight) return `needs about ${Math.ceil(weight)} checks per value`
  return suspicionOfPatterns(patterns)
}

function suspicionOfPatterns(patterns: string[]): string | undefined {
  if (patterns.length > plainLimits.patterns) return `has ${patterns.length} patterns`
  const weight = patterns.reduce((sum, pattern) => sum + weighPattern(pattern), 0)
  if (weight > plainLimits.patternWeight) return 'has patterns that are large'
  const kinds = new Map(patterns.map((pattern) => [pattern, kindOfPattern(pattern)]))
  for (const [pattern, kind] of kinds) {
    const shown = JSON.stringify(pattern.slice(0, 100))
    if (kind === 'invalid') throw new SchemaFault(`has a pattern ${shown} that cannot be read`)
    if (kind === 'native') return `has a pattern ${shown} that may take long`
  }
  return undefined
}

function rejected(why: string): JudgedSchema {
  return { judgement: { status: 'rejected', why }, dialect: '2020-12', weight: 0 }
}

function toWhy(excess: JsonExcess, { bytes, depth }: SchemaLimits): string {
  if (excess === 'bytes') return `is larger than ${bytes} bytes`
  if (excess === 'depth') return `is nested deeper than ${depth} schemas`
  return excess === 'key' ? 'has a key "__proto__"' : 'holds what JSON cannot'
}
