/** What holds for tools that only read. */
export const reads = {
  category: 'data',
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
  idempotent: true,
} as const

/** Of what they read: whoever filled the table may have written anything into it. */
export const readsRows = { ...reads, untrusted: true } as const

export const sourceField = 'The name of the source, as list_sources gives it'
