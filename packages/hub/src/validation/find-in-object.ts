import type { Steps } from './field-path.ts'
import type { TestPattern } from './find-in-scalar.ts'
import { type Find, type Finding, type Place, toFinding } from './finding.ts'
import { nearestName } from './nearest-name.ts'
import { cut, describeSchema, isSchemaObject } from './schema-words.ts'
import { describeGot } from './value-words.ts'

type Fields = Record<string, unknown>

const enough = 20
const namesShown = 10

interface ObjectTools {
  find: Find
  test: TestPattern
  /** What `$ref` leads to, so that a missing field can be described. */
  resolve(schema: unknown): unknown
}

export function findInObject(place: Place, tools: ObjectTools): Finding[] {
  return [
    ...findMissing(place, tools),
    ...findInFields(place, tools),
    ...findInNames(place, tools.find),
    ...findInCount(place),
  ]
}

function findMissing({ schema, value, steps }: Place, { resolve }: ObjectTools): Finding[] {
  const names = [...toNames(schema.required), ...dependentNames(schema, value as Fields)]
  const missing = new Set(names.filter((name) => !Object.hasOwn(value as Fields, name)))
  return [...missing]
    .slice(0, enough)
    .map((name) => toMissing(steps, name, resolve(fieldOf(schema, name))))
}

function toMissing(steps: Steps, name: string, schema: unknown): Finding {
  const expected = schema === undefined ? 'a value' : describeSchema(schema)
  return { steps: [...steps, name], kind: 'missing', expected, got: 'nothing' }
}

function dependentNames(schema: JsonFields, value: Fields): string[] {
  const maps = [schema.dependentRequired, schema.dependencies].filter(isSchemaObject)
  return maps.flatMap((map) =>
    Object.keys(map)
      .filter((name) => Object.hasOwn(value, name))
      .flatMap((name) => toNames(map[name])),
  )
}

type JsonFields = Place['schema']

function findInFields(place: Place, tools: ObjectTools): Finding[] {
  const { schema, value, steps } = place
  const patterns = isSchemaObject(schema.patternProperties) ? schema.patternProperties : {}
  const found: Finding[] = []
  for (const name of Object.keys(value as Fields)) {
    const own = fieldOf(schema, name)
    const matching = Object.keys(patterns).filter((pattern) => tools.test(pattern, name))
    const schemas = [...(own === undefined ? [] : [own]), ...matching.map((key) => patterns[key])]
    const field = (value as Fields)[name]
    const at = [...steps, name]
    if (schemas.length === 0) found.push(...findAdditional(place, name, tools.find))
    for (const one of schemas) found.push(...tools.find(one, field, at))
    if (found.length >= enough) break
  }
  return found
}

function findAdditional({ schema, value, steps }: Place, name: string, find: Find): Finding[] {
  const { additionalProperties } = schema
  if (additionalProperties === undefined || additionalProperties === true) return []
  const field = (value as Fields)[name]
  const at = [...steps, name]
  if (additionalProperties !== false) return find(additionalProperties, field, at)
  return [
    { steps: at, kind: 'unknown', expected: toAllowed(schema, name), got: describeGot(field, at) },
  ]
}

function toAllowed({ properties }: JsonFields, name: string): string {
  const names = isSchemaObject(properties) ? Object.keys(properties) : []
  if (names.length === 0) return 'no such field'
  const nearest = nearestName(name, names)
  if (nearest !== undefined) return `no such field; did you mean ${cut(nearest, 60)}?`
  const shown = names.slice(0, namesShown).map((one) => cut(one, 40))
  return `no such field; there are ${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`
}

function findInNames({ schema, value, steps }: Place, find: Find): Finding[] {
  const { propertyNames } = schema
  if (propertyNames === undefined) return []
  const bad = Object.keys(value as Fields).filter(
    (name) => find(propertyNames, name, steps).length > 0,
  )
  return bad.slice(0, enough).map((name) => ({
    steps: [...steps, name],
    kind: 'unknown',
    expected: `a name that is ${describeSchema(propertyNames)}`,
    got: 'another name',
  }))
}

function findInCount(place: Place): Finding[] {
  const { minProperties, maxProperties } = place.schema
  const count = Object.keys(place.value as Fields).length
  if (typeof minProperties === 'number' && count < minProperties) {
    return [toFinding(place, `at least ${minProperties} fields`)]
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    return [toFinding(place, `at most ${maxProperties} fields`)]
  }
  return []
}

function fieldOf({ properties }: JsonFields, name: string): unknown {
  return isSchemaObject(properties) && Object.hasOwn(properties, name)
    ? properties[name]
    : undefined
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : []
}
