import { z } from 'zod'
import { id, timestamp, wholeNumber } from '../scalars.ts'

/** GET /api/v1/memory, and DELETE /api/v1/memory/{fact_id}. */
export const memoryQuerySchema = z.strictObject({ assistant_id: id })
export type MemoryQuery = z.infer<typeof memoryQuerySchema>

/** DELETE /api/v1/memory: of one assistant, or without one of all. */
export const memoryClearQuerySchema = z.strictObject({ assistant_id: id.exactOptional() })
export type MemoryClearQuery = z.infer<typeof memoryClearQuerySchema>

/** `user`: asked for in so many words. `assistant`: the model thought it worth keeping. */
const fact = z.object({
  fact_id: z.string(),
  text: z.string(),
  by: z.enum(['user', 'assistant']),
  created_at: timestamp,
  session_id: z.string().optional(),
  said_in: z.string().optional(),
})
export type Fact = z.infer<typeof fact>

/** Newest first; `damaged` could not be read. */
export const factListSchema = z.object({ facts: z.array(fact), damaged: wholeNumber })
export type FactList = z.infer<typeof factListSchema>

/** GET /api/v1/memory/export */
export const memoryExportSchema = z.object({
  memories: z.array(z.object({ assistant_id: z.string(), facts: z.array(fact) })),
})
export type MemoryExport = z.infer<typeof memoryExportSchema>
