import { z } from 'zod'
import { wholeNumber } from '../scalars.ts'

/** The query of a paged list. Values arrive as text. */
export const pageQuerySchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(50),
  offset: z.coerce.number().int().min(0).default(0),
})
export type PageQuery = z.infer<typeof pageQuerySchema>

/** What every page says besides its rows. `total` counts the rows of all pages. */
export const pageFields = { limit: wholeNumber, offset: wholeNumber, total: wholeNumber }
