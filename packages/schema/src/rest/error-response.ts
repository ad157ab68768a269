import { z } from 'zod'
import { jsonObject } from '../json.ts'

/** The body of every answer that is not a success. `error_code` is a code of the error table. */
export const errorResponseSchema = z.object({
  error_code: z.string(),
  message: z.string(),
  details: jsonObject.exactOptional(),
})
export type ErrorResponse = z.infer<typeof errorResponseSchema>
