import type { Headers } from './headers.ts'

/** Shorter texts are no secrets, and would tear holes into every answer. */
const shortestValue = 6

/** Parts of a path are names, unless they are as long as keys are. */
const shortestKeyInPath = 16

/** What headers tell the server in confidence: their values, and the parts of those. */
export function confidencesInHeaders(headers: Headers | undefined): string[] {
  const values = Object.values(headers ?? {}).flatMap((value) => [value, ...value.split(/\s+/)])
  return values.filter((value) => value.length >= shortestValue && !isScheme(value))
}

/** What an address holds that may be a key. */
export function confidencesInUrl({ pathname, searchParams }: URL): string[] {
  const segments = pathname.split('/').filter((segment) => segment.length >= shortestKeyInPath)
  const values = [...searchParams.values()].filter((value) => value.length >= shortestValue)
  return [...segments, ...values]
}

/** Of an Authorization header: errors speak of it, and it is no secret. */
function isScheme(value: string): boolean {
  return /^(bearer|digest)$/i.test(value)
}
