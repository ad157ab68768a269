import type { JsonObject } from '@dataagent/schema'
import { type KeywordShape, keywords, misshapen, type Reach } from './keywords.ts'
import type { SchemaLimits } from './schema-limits.ts'

/** One subschema and those it leads to. */
export interface SchemaNode {
  /** As a JSON pointer. */
  path: string
  /** What checking one value against this alone costs, in checks. */
  cost: number
  edges: Record<Exclude<Reach, 'aside'>, SchemaNode[]>
}

export interface SchemaGraph {
  root: SchemaNode
  nodes: SchemaNode[]
  patterns: string[]
  /** Whether `items` is a list somewhere, as 2020-12 does not know it. */
  hasTuples: boolean
}

/** Why a schema cannot be used. Thrown and caught within the room. */
export class SchemaFault extends Error {}

type Subschema = JsonObject | boolean

interface Reference {
  from: SchemaNode
  target: string
}

/** Reads a schema as a graph, its `$ref`s followed. Throws SchemaFault. */
export function toSchemaGraph(schema: JsonObject, limits: SchemaLimits): SchemaGraph {
  const nodes: SchemaNode[] = []
  const byObject = new Map<object, SchemaNode>()
  const byAnchor = new Map<string, SchemaNode>()
  const references: Reference[] = []
  const patterns: string[] = []
  let hasTuples = false

  const root = read(schema, '', 1)
  for (let next = references.shift(); next; next = references.shift()) follow(next)
  return { root, nodes, patterns, hasTuples }

  function read(subschema: Subschema, path: string, depth: number): SchemaNode {
    if (depth > limits.depth) throw new SchemaFault(`is nested deeper than ${limits.depth} schemas`)
    if (nodes.length === limits.subschemas) {
      throw new SchemaFault(`has more than ${limits.subschemas} subschemas`)
    }
    const node: SchemaNode = { path, cost: 1, edges: { inPlace: [], part: [], overlap: [] } }
    nodes.push(node)
    if (typeof subschema === 'boolean') return node
    byObject.set(subschema, node)
    for (const name of Object.keys(subschema)) readKeyword({ subschema, node, name, depth })
    return node
  }

  function readKeyword({ subschema, node, name, depth }: KeywordPlace): void {
    const keyword = keywords.get(name)
    if (!keyword) return
    const value = subschema[name]
    const expected = misshapen(keyword.shape, value)
    if (expected) throw new SchemaFault(`has a \`${name}\` at ${at(node)} that is not ${expected}`)
    node.cost += sizeOf(value) / 32
    if (name === 'pattern') patterns.push(value as string)
    if (name === 'patternProperties') patterns.push(...Object.keys(value as object))
    if (name === 'items' && Array.isArray(value)) hasTuples = true
    if (isReference(name)) references.push({ from: node, target: value as string })
    if (isAnchor(name)) readAnchor(node, name, value as string)
    if (!keyword.reach) return
    for (const [key, child] of childrenOf(keyword.shape, value)) {
      const path = `${node.path}/${toPointer(name)}${key === undefined ? '' : `/${toPointer(key)}`}`
      const found = read(child, path, depth + 1)
      if (keyword.reach !== 'aside') node.edges[keyword.reach].push(found)
    }
  }

  function readAnchor(node: SchemaNode, name: string, value: string): void {
    if (name !== '$id') byAnchor.set(value, node)
    else if (value.startsWith('#')) byAnchor.set(value.slice(1), node)
    else if (node.path !== '') {
      throw new SchemaFault(`holds another document (\`$id\` at ${at(node)}); write it as one`)
    }
  }

  function follow({ from, target }: Reference): void {
    const fragment = toFragment(target, schema)
    if (fragment === undefined) {
      throw new SchemaFault(
        `has a \`$ref\` at ${at(from)} that leads out of the document; nothing is fetched`,
      )
    }
    const found = fragment === '' || fragment.startsWith('/') ? atPointer(fragment) : undefined
    const node = found ?? byAnchor.get(fragment)
    if (!node) throw new SchemaFault(`has a \`$ref\` at ${at(from)} that leads nowhere`)
    from.edges.inPlace.push(node)
  }

  function atPointer(pointer: string): SchemaNode | undefined {
    const found = resolvePointer(schema, pointer)
    if (typeof found === 'boolean') return read(found, pointer, 1)
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined
    return byObject.get(found) ?? read(found as JsonObject, pointer, 1)
  }
}

interface KeywordPlace {
  subschema: JsonObject
  node: SchemaNode
  name: string
  depth: number
}

/** What `pointer` (without `#`) leads to within `schema`. */
export function resolvePointer(schema: JsonObject, pointer: string): unknown {
  let found: unknown = schema
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<string, unknown>)[key]
  }
  return found
}

/** The part of a reference behind `#`, or undefined where it leads out of the document. */
export function toFragment(target: string, schema: JsonObject): string | undefined {
  const hash = target.indexOf('#')
  const base = hash === -1 ? target : target.slice(0, hash)
  const own = typeof schema.$id === 'string' ? schema.$id.replace(/#$/, '') : ''
  if (base !== '' && base !== own) return undefined
  if (hash === -1) return ''
  try {
    return decodeURIComponent(target.slice(hash + 1))
  } catch {
    return undefined
  }
}

function isReference(name: string): boolean {
  return name === '$ref' || name === '$dynamicRef' || name === '$recursiveRef'
}

function isAnchor(name: string): boolean {
  return name === '$anchor' || name === '$dynamicAnchor' || name === '$id'
}

function childrenOf(shape: KeywordShape, value: unknown): [string | undefined, Subschema][] {
  if (Array.isArray(value)) return value.map((child, index) => [String(index), child])
  if (shape === 'schema' || shape === 'items') return [[undefined, value as Subschema]]
  return Object.entries(value as Record<string, Subschema>).filter(([, child]) => isSchema(child))
}

/** `dependencies` has lists of names beside schemas. */
function isSchema(child: unknown): boolean {
  return !Array.isArray(child)
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Array.isArray(value) ? value.length : Object.keys(value).length
}

function at(node: SchemaNode): string {
  return node.path === '' ? 'the top' : node.path.slice(0, 200)
}

function toPointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}
