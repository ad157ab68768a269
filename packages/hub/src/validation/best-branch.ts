import type { Finding, Place } from './finding.ts'
import { describeChoices, describeSchema, isSchemaObject } from './schema-words.ts'
import { describeChoice, describeGot } from './value-words.ts'

/** One way of an `anyOf` or `oneOf`, its `$ref` followed, and what of the value does not fit it. */
export interface Branch {
  schema: unknown
  found: Finding[]
}

const branchesShown = 6

/**
 * What to say of a value that fits no branch: the findings of the branch that it was probably meant
 * for, or one finding over all of them.
 */
export function explainUnion(place: Place, branches: Branch[]): Finding[] {
  const { value, steps } = place
  const near = branches.filter(({ found }) => !isOtherKind(found[0], steps.length))
  if (near.length === 0) return [toSummary(place, branches)]
  const marked = toMarked(value, near)
  if (marked && marked.length === 0) return [toMarkFinding(place, near)]
  const candidates = marked ?? near
  const best = candidates.reduce((one, other) =>
    other.found.length < one.found.length ? other : one,
  )
  return best.found
}

function isOtherKind(finding: Finding | undefined, depth: number): boolean {
  const says = finding?.kind === 'type' || finding?.kind === 'choice'
  return says && finding.steps.length === depth
}

function toSummary({ value, steps }: Place, branches: Branch[]): Finding {
  const words = [...new Set(branches.map(({ schema }) => describeSchema(schema)))]
  const more = words.length > branchesShown ? ' or another' : ''
  const isChoice = branches.some(({ found }) => found[0]?.kind === 'choice')
  return {
    steps,
    kind: isChoice ? 'choice' : 'type',
    expected: `${words.slice(0, branchesShown).join(' or ')}${more}`,
    got: isChoice ? describeChoice(value, steps) : describeGot(value, steps),
  }
}

/**
 * The branches whose fixed field (`kind: { const: 'a' }`) is as in the value; undefined where they
 * have no such field in common.
 */
function toMarked(value: unknown, branches: Branch[]): Branch[] | undefined {
  const name = markOf(branches)
  if (name === undefined || !isSchemaObject(value) || !Object.hasOwn(value, name)) return undefined
  return branches.filter(({ schema }) =>
    choicesOf(schema, name)?.some((one) => one === value[name]),
  )
}

function markOf(branches: Branch[]): string | undefined {
  const [first] = branches
  if (branches.length < 2 || !isSchemaObject(first?.schema)) return undefined
  const { properties } = first.schema
  if (!isSchemaObject(properties)) return undefined
  return Object.keys(properties).find((name) =>
    branches.every(({ schema }) => choicesOf(schema, name) !== undefined),
  )
}

function choicesOf(schema: unknown, name: string): unknown[] | undefined {
  if (!isSchemaObject(schema) || !isSchemaObject(schema.properties)) return undefined
  if (!Object.hasOwn(schema.properties, name)) return undefined
  const field = schema.properties[name]
  if (!isSchemaObject(field)) return undefined
  if (Array.isArray(field.enum)) return field.enum
  return field.const === undefined ? undefined : [field.const]
}

function toMarkFinding({ value, steps }: Place, branches: Branch[]): Finding {
  const name = markOf(branches)!
  const choices = new Set(branches.flatMap(({ schema }) => choicesOf(schema, name) ?? []))
  const at = [...steps, name]
  const got = describeChoice((value as Record<string, unknown>)[name], at)
  return { steps: at, kind: 'choice', expected: describeChoices([...choices]), got }
}
