import { z } from 'zod'
import { id, timestamp, wholeNumber } from './scalars.ts'

/** `waiting` for a person's approval; the last three have ended. */
export const runStatusSchema = z.enum(['running', 'waiting', 'done', 'cancelled', 'error'])
export type RunStatus = z.infer<typeof runStatusSchema>

/** One turn of a session: who asked, how it stands and what it has cost. */
export const runInfoSchema = z.object({
  run_id: id,
  session_id: id,
  user_id: id,
  assistant_id: id,
  status: runStatusSchema,
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  /** Of the table of errors, where `status` is `error`. */
  error_code: z.string().nullable(),
  model: z.string().nullable(),
  prompt_tokens: wholeNumber,
  completion_tokens: wholeNumber,
  cached_tokens: wholeNumber,
  trace_id: z.string().exactOptional().meta({ description: 'Of its trace, where it has one' }),
  cost_micros: wholeNumber.meta({ description: "Millionths of the price's currency" }),
})
export type RunInfo = z.infer<typeof runInfoSchema>
