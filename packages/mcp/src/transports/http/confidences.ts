import { toSpellings } from '@dataagent/guard'
import type { Headers } from './headers.ts'

/** Shorter texts are no secrets, and would tear holes into every answer. */
const shortestValue = 6

/** Parts of a path are names, unless they are as long as keys are. */
const shortestKeyInPath = 16

/** What headers tell the server in confidence: their values, and the parts of those. */
export function confidencesInHeaders(headers: Headers | undefined): string[] {
  const values = Object.values(headers ?? {}).flatMap((value) => [value, ...value.split(/\s+/)])
  return values.filter((value) => value.length >= shortestValue)
}

/** What an address holds that may be a key. */
export function confidencesInUrl({ pathname, searchParams }: URL): string[] {
  const segments = pathname.split('/').filter((segment) => segment.length >= shortestKeyInPath)
  const values = [...searchParams.values()].filter((value) => value.length >= shortestValue)
  return [...segments, ...values]
}

/** A server's text without what it was told in confidence: some say it back. */
export function withoutConfidences(body: Buffer, confidences: readonly string[]): Buffer {
  if (body.length === 0 || confidences.length === 0) return body
  const text = body.toString()
  const spellings = new Set(confidences.flatMap(toSpellings).map((spelling) => spelling.text))
  const longestFirst = [...spellings].sort((a, b) => b.length - a.length)
  const kept = longestFirst.reduce((left, found) => left.replaceAll(found, '***'), text)
  return kept === text ? body : Buffer.from(kept)
}
