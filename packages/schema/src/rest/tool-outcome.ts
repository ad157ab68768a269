import { z } from 'zod'
import { openObject } from '../open-object.ts'
import { timestamp, wholeNumber } from '../scalars.ts'

/** One field that does not fit: where, what was expected, what came. */
export const fieldErrorSchema = z.object({
  path: z.string(),
  expected: z.string(),
  got: z.string(),
})

const fault = z.object({
  code: z.string(),
  message: z.string(),
  tool_name: z.string(),
  advice: z.enum(['retry', 'degrade', 'ask_user', 'fix_arguments', 'give_up']),
  errors: z.array(fieldErrorSchema).exactOptional(),
  approval_id: z.string().exactOptional(),
  on_reject: z.enum(['end', 'tell']).exactOptional(),
  retry_after_ms: z.number().nonnegative().exactOptional(),
})

const result = z.object({
  text: z.string(),
  /** As the server gave it. */
  raw: openObject({ content: z.array(openObject({ type: z.string() })) }),
  rest: z
    .object({
      result_id: z.string(),
      bytes: wholeNumber,
      pages: wholeNumber,
      expires_at: timestamp,
    })
    .exactOptional(),
})

const base = {
  call_id: z.string(),
  trace_id: z.string(),
  duration_ms: z.number().nonnegative(),
  /** Left out where the caller may not know of the tool. */
  tool: z
    .object({
      server_id: z.string(),
      name: z.string(),
      version: wholeNumber,
      hash: z.string(),
    })
    .exactOptional(),
}

const refused = z.enum([
  'denied',
  'invalid',
  'limited',
  'rejected',
  'timeout',
  'unavailable',
  'cancelled',
  'unknown_outcome',
])

/** How a call of POST /api/v1/tools/call ended. What was refused is sent as an error. */
export const toolCallResponseSchema = z.discriminatedUnion('status', [
  z.object({ ...base, status: z.literal('ok'), result }),
  z.object({
    ...base,
    status: z.literal('failed'),
    error: fault,
    result: result.exactOptional(),
  }),
  z.object({ ...base, status: refused, error: fault }),
])
export type ToolCallResponse = z.infer<typeof toolCallResponseSchema>
