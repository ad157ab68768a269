import { z } from 'zod'
import { timestamp, wholeNumber } from '../scalars.ts'

/** The query of a paged list. Values arrive as text. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).default(0),
})
export type PageQuery = z.infer<typeof pageQuerySchema>

/** What every page says besides its rows. `total` counts the rows of all pages. */
export const pageFields = { limit: wholeNumber, offset: wholeNumber, total: wholeNumber }

/** The same where rows are not counted: `more` says whether there are any after these. */
export const openPageFields = { limit: wholeNumber, offset: wholeNumber, more: z.boolean() }

/** A yes or no of a query. */
export const queryFlag = z.enum(['true', 'false'])

/** A moment of a query. */
const queryTime = z.coerce
  .number()
  .int()
  .min(0)
  .meta({ description: timestamp.meta()?.description })

/** The part of a list from `from`, and before `to`. */
export const periodFields = { from: queryTime.exactOptional(), to: queryTime.exactOptional() }
