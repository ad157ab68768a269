import { z } from 'zod'
import { jsonValue } from '../json.ts'
import { timestamp } from '../scalars.ts'

/** GET /api/v1/health: the process is alive. `degraded` while it waits; `uptime` is seconds. */
export const healthResponseSchema = z.object({
  status: z.enum(['ok', 'degraded']),
  version: z.string(),
  uptime: z.number().nonnegative(),
})
export type HealthResponse = z.infer<typeof healthResponseSchema>

/** GET /api/v1/ready. While something is away the answer is 503, with the same list as details. */
export const readinessResponseSchema = z.object({
  status: z.literal('ready'),
  dependencies: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['connecting', 'ready', 'away']),
      since: timestamp,
    }),
  ),
})
export type ReadinessResponse = z.infer<typeof readinessResponseSchema>

/** GET /api/v1/settings: what holds in this process and where it comes from; secrets masked. */
export const settingsListSchema = z.object({
  settings: z.array(
    z.object({
      name: z.string(),
      value: jsonValue,
      origin: z.enum(['default', 'file', 'env', 'flag']),
      env: z.string(),
      flag: z.string(),
      about: z.object({ en: z.string(), zh: z.string() }),
    }),
  ),
})
export type SettingsList = z.infer<typeof settingsListSchema>
