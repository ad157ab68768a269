import type { Environment } from '@dataagent/guard'

/** Shorter values are switches and numbers, and would tear holes into every line. */
const shortestValue = 8

/**
 * What a process is told in confidence by its environment: the values besides those that `base`
 * has too, their lines, and the secrets in those that are addresses.
 */
export function confidencesInEnvironment(env: Environment = {}, base: Environment = {}): string[] {
  const known = new Set(Object.values(base))
  const own = Object.entries(env).filter(([name]) => !Object.hasOwn(base, name))
  const parts = own.flatMap(([_, value]) => [value, ...value.split(/[\r\n]+/), ...inUrl(value)])
  return [...new Set(parts)].filter(
    (part) => part.trim().length >= shortestValue && !known.has(part),
  )
}

function inUrl(value: string): string[] {
  const url = URL.parse(value)
  return url === null ? [] : [url.password, ...url.searchParams.values()]
}
