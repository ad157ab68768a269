import type { FieldError, JsonObject } from '@dataagent/schema'
import { type Branch, explainUnion } from './best-branch.ts'
import { type Steps, toFieldPath } from './field-path.ts'
import { findInArray } from './find-in-array.ts'
import { findInObject } from './find-in-object.ts'
import { findInNumber, findInString } from './find-in-scalar.ts'
import { type Finding, type Place, toFinding } from './finding.ts'
import { isAmong, isOfType } from './json-values.ts'
import { createPattern, type SafePattern } from './safe-pattern.ts'
import { resolvePointer, toFragment } from './schema-graph.ts'
import { describeSchema, isSchemaObject } from './schema-words.ts'
import { describeChoice } from './value-words.ts'

/** Says what of a value does not fit, in words for a model and a person. */
export type Explain = (value: unknown) => FieldError[]

export interface ExplainOptions {
  readByPattern?: (characters: number) => void
  /** Subschemas looked at for one value, and how deep within each other, before it gives up. */
  stepsMax?: number
  depthMax?: number
}

const errorsMax = 20
const branchesMax = 50

/**
 * Reads the schema beside the value rather than the compiler's errors: those are one where many are
 * wanted, and a flood where a value fits no branch. Nothing found does not mean that the value
 * fits: `unevaluatedProperties` and what lies behind the limits is not looked at.
 */
export function createExplain(root: JsonObject, options: ExplainOptions = {}): Explain {
  const { readByPattern = () => {}, stepsMax = 20_000, depthMax = 400 } = options
  const patterns = new Map<string, SafePattern>()
  let stepsLeft = 0
  let depthLeft = 0

  return (value) => {
    stepsLeft = stepsMax
    depthLeft = depthMax
    return toFieldErrors(find(root, value, []))
  }

  function find(subschema: unknown, value: unknown, steps: Steps): Finding[] {
    if (subschema === false) {
      return [toFinding({ schema: {}, value, steps }, 'nothing here')]
    }
    if (!isSchemaObject(subschema) || stepsLeft <= 0 || depthLeft <= 0) return []
    stepsLeft -= 1
    depthLeft -= 1
    const found = findHere({ schema: subschema, value, steps })
    depthLeft += 1
    return found
  }

  function findHere(place: Place): Finding[] {
    const { schema, value, steps } = place
    if (!isOfType(value, schema)) return [{ ...toFinding(place), kind: 'type' }]
    if (!isAmongChoices(place)) {
      return [{ ...toFinding(place), kind: 'choice', got: describeChoice(value, steps) }]
    }
    return [...findInValue(place), ...findBeside(place)]
  }

  function findInValue(place: Place): Finding[] {
    const { value } = place
    if (typeof value === 'string') return findInString(place, test)
    if (typeof value === 'number') return findInNumber(place)
    if (Array.isArray(value)) return findInArray(place, find)
    return isSchemaObject(value) ? findInObject(place, { find, test, resolve }) : []
  }

  /** By the schemas that speak of the same value. */
  function findBeside(place: Place): Finding[] {
    const { schema, value, steps } = place
    const target = targetOf(schema)
    const found = target === undefined ? [] : find(target, value, steps)
    for (const part of toList(schema.allOf)) found.push(...find(part, value, steps))
    for (const part of dependentSchemas(place)) found.push(...find(part, value, steps))
    found.push(...findInUnion(place, schema.anyOf), ...findInUnion(place, schema.oneOf))
    found.push(...findTooMany(place), ...findInNot(place), ...findInCondition(place))
    return found
  }

  function findInUnion(place: Place, schemas: unknown): Finding[] {
    if (!Array.isArray(schemas) || schemas.length === 0) return []
    const branches: Branch[] = []
    for (const schema of schemas.slice(0, branchesMax)) {
      const found = find(schema, place.value, place.steps)
      if (found.length === 0) return []
      branches.push({ schema: resolve(schema), found })
    }
    return explainUnion(place, branches)
  }

  function findTooMany(place: Place): Finding[] {
    const { schema, value, steps } = place
    const fitting = toList(schema.oneOf).filter((one) => find(one, value, steps).length === 0)
    if (fitting.length < 2 || stepsLeft <= 0) return []
    const words = [...new Set(fitting.slice(0, 4).map((one) => describeSchema(resolve(one))))]
    return [toFinding({ ...place, schema: {} }, `only one of: ${words.join(', ')}`)]
  }

  function findInNot(place: Place): Finding[] {
    const { schema, value, steps } = place
    if (schema.not === undefined || find(schema.not, value, steps).length > 0) return []
    if (stepsLeft <= 0) return []
    return [
      toFinding({ ...place, schema: {} }, `anything but ${describeSchema(resolve(schema.not))}`),
    ]
  }

  function findInCondition({ schema, value, steps }: Place): Finding[] {
    if (schema.if === undefined) return []
    const holds = find(schema.if, value, steps).length === 0
    return find(holds ? schema.then : schema.else, value, steps)
  }

  function targetOf(schema: JsonObject): unknown {
    const reference = schema.$ref ?? schema.$dynamicRef ?? schema.$recursiveRef
    if (typeof reference !== 'string') return undefined
    const fragment = toFragment(reference, root)
    return fragment === '' || fragment?.startsWith('/') ? resolvePointer(root, fragment) : undefined
  }

  function resolve(schema: unknown): unknown {
    const target = isSchemaObject(schema) ? targetOf(schema) : undefined
    return isSchemaObject(target) ? { ...target, ...(schema as JsonObject) } : schema
  }

  function test(pattern: string, text: string): boolean {
    const known = patterns.get(pattern) ?? createPattern(pattern, readByPattern)
    patterns.set(pattern, known)
    return known.test(text)
  }
}

function isAmongChoices({ schema, value }: Place): boolean {
  if (Object.hasOwn(schema, 'const') && !isAmong([schema.const])(value)) return false
  return !Array.isArray(schema.enum) || isAmong(schema.enum)(value)
}

function dependentSchemas({ schema, value }: Place): unknown[] {
  if (!isSchemaObject(value)) return []
  const maps = [schema.dependentSchemas, schema.dependencies].filter(isSchemaObject)
  return maps.flatMap((map) =>
    Object.keys(map)
      .filter((name) => Object.hasOwn(value, name) && !Array.isArray(map[name]))
      .map((name) => map[name]),
  )
}

function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

/** Without those that say the same of the same field. */
function toFieldErrors(found: Finding[]): FieldError[] {
  const errors = new Map<string, FieldError>()
  for (const { steps, expected, got } of found) {
    const path = toFieldPath(steps)
    errors.set(`${path} ${expected}`, { path, expected, got })
    if (errors.size === errorsMax) break
  }
  return [...errors.values()]
}
