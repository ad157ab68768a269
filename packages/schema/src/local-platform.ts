import { z } from 'zod'
import { jsonObject } from './json.ts'

/**
 * What a platform that a terminal has started tells it, over the channel between the two processes.
 * Where it cannot start it tells why, in words for people, and ends.
 */
export const platformNewsSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('listening'), url: z.url() }),
  z.strictObject({ kind: z.literal('failed'), message: z.string() }),
  z.strictObject({ kind: z.literal('servers_set') }),
  z.strictObject({ kind: z.literal('servers_refused'), message: z.string() }),
])
export type PlatformNews = z.infer<typeof platformNewsSchema>

/**
 * What the terminal asks of it; each is answered, one after the other. `set_servers` has
 * configurations as they were written, secrets included: who uses them reads each.
 */
export const platformOrderSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('set_servers'), servers: z.array(jsonObject) }),
])
export type PlatformOrder = z.infer<typeof platformOrderSchema>
