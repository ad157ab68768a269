import { z } from 'zod'

/** How every file tool names a file. */
export const filePath = z
  .string()
  .min(1)
  .max(3_000)
  .describe('Relative to the workspace, such as files/report.csv')

/** What holds for tools that only look, inside the user's own space. */
export const reading = {
  category: 'files',
  approval: 'allow',
  idempotent: true,
  annotations: { readOnlyHint: true, openWorldHint: false, idempotentHint: true },
} as const

/** What holds for tools that change files; whether they ask depends on whose files those are. */
export const writing = {
  category: 'files',
  annotations: { readOnlyHint: false, openWorldHint: false },
} as const
