import { randomInt } from 'node:crypto'

/**
 * Versions that two branches of a thread do not both give out: values are stored by version, so the
 * same one for two values would mix the branches up. The whole part counts, the rest is chance.
 * Asked again for the same version within one step, it answers the same: LangGraph takes channels
 * of one version as changed together.
 */
export function createNextVersion(): (current: number | undefined) => number {
  let given: { current: number | undefined; next: number } | undefined

  return (current) => {
    if (given && given.current === current) return given.next
    const next = Math.floor(current ?? 0) + 1 + randomInt(1, 1e9) / 1e9
    given = { current, next }
    queueMicrotask(() => {
      given = undefined
    })
    return next
  }
}
