import { z } from 'zod'

/** GET /api/v1/health: the process is alive. `uptime` is seconds. */
export const healthResponseSchema = z.object({
  status: z.literal('ok'),
  version: z.string(),
  uptime: z.number().nonnegative(),
})
export type HealthResponse = z.infer<typeof healthResponseSchema>

/** Whether what the process depends on is there, one check each. */
export const readinessResponseSchema = z.object({
  status: z.enum(['ready', 'not_ready']),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['ok', 'failed']),
      message: z.string().exactOptional(),
    }),
  ),
})
export type ReadinessResponse = z.infer<typeof readinessResponseSchema>
