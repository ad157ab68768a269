import { type Find, type Finding, type Place, toFinding } from './finding.ts'
import { areUnique } from './json-values.ts'
import { describeSchema } from './schema-words.ts'

export function findInArray(place: Place, find: Find): Finding[] {
  const { minItems, maxItems, uniqueItems } = place.schema
  const items = place.value as unknown[]
  const wishes: string[] = []
  if (typeof minItems === 'number' && items.length < minItems) {
    wishes.push(`at least ${minItems} of them`)
  }
  if (typeof maxItems === 'number' && items.length > maxItems) {
    wishes.push(`at most ${maxItems} of them`)
  }
  if (uniqueItems === true && !areUnique(items)) wishes.push('no two of them alike')
  const found = wishes.map((wish) => toFinding(place, wish))
  return [...found, ...findInItems(place, find), ...findContained(place, find)]
}

function findInItems({ schema, value, steps }: Place, find: Find): Finding[] {
  const { prefixItems, items, additionalItems } = schema
  const tuple = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? additionalItems : items
  const found: Finding[] = []
  for (const [index, item] of (value as unknown[]).entries()) {
    const one = index < tuple.length ? tuple[index] : rest
    if (one !== undefined) found.push(...find(one, item, [...steps, index]))
    if (found.length >= enough) break
  }
  return found
}

function findContained(place: Place, find: Find): Finding[] {
  const { contains, minContains = 1, maxContains } = place.schema
  if (contains === undefined) return []
  const items = place.value as unknown[]
  const fitting = items.filter((item) => find(contains, item, place.steps).length === 0).length
  const words = `that are ${describeSchema(contains)}`
  if (typeof minContains === 'number' && fitting < minContains) {
    return [toFinding(place, `at least ${minContains} items ${words}`)]
  }
  if (typeof maxContains === 'number' && fitting > maxContains) {
    return [toFinding(place, `at most ${maxContains} items ${words}`)]
  }
  return []
}

const enough = 20
