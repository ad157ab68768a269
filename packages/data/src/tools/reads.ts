/** What holds for tools that only read. */
export const reads = {
  category: 'data',
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  idempotent: true,
} as const

/** Of what they read: whoever filled the table may have written anything into it. */
export const readsRows = { ...reads, untrusted: true } as const

export const sourceField = 'The name of the source, as list_sources gives it'

const leastWaitMs = 60_000

/** What a tool may take that runs one query, where another one may have to end first. */
export function toToolMs(queryMs: number): number {
  return queryMs + Math.max(queryMs, leastWaitMs)
}
