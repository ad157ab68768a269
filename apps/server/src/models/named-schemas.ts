import * as contracts from '@dataagent/schema'
import { z } from 'zod'
import type { Schema } from './document.ts'
import { mapRefs, refsOf, toRef } from './refs.ts'

/** What a client sends, or what it gets. */
export type Io = 'input' | 'output'

/** The contracts as JSON Schemas, of which those with a name are written once. */
export interface NamedSchemas {
  /** A reference for a contract that has a name, else the schema itself. */
  toSchema(schema: z.ZodType, io: Io): Schema
  /** The schema itself, also where it has a name. */
  spellOut(schema: z.ZodType, io: Io): Schema
  /** Those that `from` refers to, directly or not, by name. */
  reachable(from: unknown): Record<string, Schema>
}

/**
 * Names the contracts of `@dataagent/schema` by what they are exported as: `chatRequestSchema` is
 * ChatRequest. One that is sent otherwise than it is got has two names, the first ending in Input.
 */
export function createNamedSchemas(): NamedSchemas {
  const names = findNames()
  const all = (io: Io) =>
    Object.fromEntries([...names].map(([schema, id]) => [id, convert(schema, io, names)]))
  const sent = all('input')
  const got = all('output')
  const twofold = findTwofold(sent, got)
  const nameFor = (io: Io) => (id: string) =>
    io === 'input' && twofold.has(id) ? `${id}Input` : id
  const known = new Map(Object.entries(got))
  for (const [id, schema] of Object.entries(sent))
    known.set(nameFor('input')(id), mapRefs(schema, nameFor('input')))

  function spellOut(schema: z.ZodType, io: Io): Schema {
    return mapRefs(convert(schema, io, names), nameFor(io))
  }

  return {
    spellOut,
    toSchema(schema, io) {
      const id = names.get(schema)
      return id === undefined ? spellOut(schema, io) : toRef(nameFor(io)(id))
    },
    reachable(from) {
      const found = new Map<string, Schema>()
      collect(from, known, found)
      return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
    },
  }
}

type Names = Map<z.core.$ZodType, string>

function findNames(): Names {
  const names: Names = new Map()
  for (const [name, value] of Object.entries(contracts)) {
    const stem = /^(\w+)Schema$/.exec(name)?.[1]
    if (stem && value instanceof z.ZodType && !names.has(value))
      names.set(value, stem.charAt(0).toUpperCase() + stem.slice(1))
  }
  return names
}

function convert(schema: z.core.$ZodType, io: Io, names: Names): Schema {
  const { $schema, ...converted } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const id = zodSchema === schema ? undefined : names.get(zodSchema)
      if (id !== undefined) return void replace(jsonSchema, toRef(id))
      // What we send may have more fields one day: a client must not refuse them.
      const { def } = zodSchema._zod
      if (io === 'output' && def.type === 'object' && !def.catchall)
        delete jsonSchema.additionalProperties
    },
  })
  return converted
}

function replace(object: object, content: object): void {
  for (const key of Object.keys(object)) Reflect.deleteProperty(object, key)
  Object.assign(object, content)
}

/** Those that are sent otherwise than got, themselves or by what they refer to. */
function findTwofold(sent: Record<string, Schema>, got: Record<string, Schema>): Set<string> {
  const ids = Object.keys(got)
  const twofold = new Set(ids.filter((id) => JSON.stringify(sent[id]) !== JSON.stringify(got[id])))
  for (let before = -1; before !== twofold.size; ) {
    before = twofold.size
    for (const id of ids) if (refsOf(sent[id]).some((to) => twofold.has(to))) twofold.add(id)
  }
  return twofold
}

function collect(from: unknown, known: Map<string, Schema>, found: Map<string, Schema>): void {
  for (const id of refsOf(from)) {
    const schema = known.get(id)
    if (schema === undefined || found.has(id)) continue
    found.set(id, schema)
    collect(schema, known, found)
  }
}
