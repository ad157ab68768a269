import { longCount } from '@dataagent/testkit'
import { expect } from 'vitest'
import { isMcpError, type McpError } from '../errors.ts'

/** For a test whose counts are large in the long form. */
export const longTestMs = longCount(30_000, 1_800_000)

/** The McpError that a call fails with; anything else fails the test. */
export async function failureOf(call: Promise<unknown>): Promise<McpError> {
  const outcome = await call.then(
    (value) => expect.unreachable(`it gave ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (isMcpError(outcome)) return outcome
  throw outcome
}

/** How long `work` takes, in milliseconds. */
export async function timed(work: () => PromiseLike<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** The value that so much of `values` lies below: 0.5 is the median. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

/** 0 to `count` − 1. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}
