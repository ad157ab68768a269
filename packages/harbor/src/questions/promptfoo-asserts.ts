import { isPlainObject } from '@dataagent/schema'
import type { Fault } from './faults.ts'

type Fields = Record<string, unknown>

interface Expectations {
  expected_keywords: string[]
  expected_tools: string[]
  expected_pattern?: string
  max_seconds?: number
}

/** A reader says what was expected where it could not take the assertion. */
type Reader = (found: Expectations, assertion: Fields) => string | undefined

const readers: Readonly<Record<string, Reader>> = {
  contains: addKeyword,
  icontains: addKeyword,
  'contains-all': addKeywords,
  'icontains-all': addKeywords,
  regex: addPattern,
  latency: addLatency,
  'trajectory:tool-used': addTools,
}

/** What promptfoo's assertions ask for, in our fields. The case of keywords does not matter. */
export function toExpectations(
  asserts: readonly unknown[],
  { place, faults }: { place: string; faults: Fault[] },
): Expectations {
  const found: Expectations = { expected_keywords: [], expected_tools: [] }
  for (const [at, assertion] of asserts.entries()) {
    const path = `assert[${at}]`
    const type = isPlainObject(assertion) ? String(assertion.type) : ''
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    const expected = read
      ? read(found, assertion as Fields)
      : `one of ${Object.keys(readers).join(', ')}; "${type}" has no counterpart here`
    if (expected) faults.push({ place, path, message: `${path}: expected ${expected}` })
  }
  return found
}

function addKeyword(found: Expectations, { value }: Fields): string | undefined {
  if (!isScalar(value)) return 'a text as value'
  found.expected_keywords.push(String(value))
  return undefined
}

/** One text holds several, with commas between. */
function addKeywords(found: Expectations, { value }: Fields): string | undefined {
  const items = typeof value === 'string' ? value.split(',').map((item) => item.trim()) : value
  if (!Array.isArray(items) || !items.every(isScalar)) return 'a list of texts as value'
  found.expected_keywords.push(...items.map(String))
  return undefined
}

function addPattern(found: Expectations, { value }: Fields): string | undefined {
  if (typeof value !== 'string') return 'a regular expression as value'
  if (found.expected_pattern !== undefined) return 'one regular expression; there are several'
  found.expected_pattern = value
  return undefined
}

function addLatency(found: Expectations, { threshold }: Fields): string | undefined {
  if (typeof threshold !== 'number' || threshold <= 0) return 'milliseconds as threshold'
  found.max_seconds = Math.min(found.max_seconds ?? Number.POSITIVE_INFINITY, threshold / 1000)
  return undefined
}

function addTools(found: Expectations, { value }: Fields): string | undefined {
  const items = Array.isArray(value) ? value : [value]
  const names = items.map((item) => (isPlainObject(item) ? nameOf(item) : item))
  if (!names.every((name) => typeof name === 'string')) {
    return 'names of tools as value, without pattern or counts'
  }
  found.expected_tools.push(...names)
  return undefined
}

function nameOf({ name, ...rest }: Fields): unknown {
  return Object.entries(rest).every(([key, value]) => key === 'min' && value === 1) && name
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
