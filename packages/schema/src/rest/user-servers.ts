import { z } from 'zod'
import { serverInfoSchema } from '../servers/server-info.ts'

/**
 * GET /api/v1/users/{user_id}/mcp-servers. POST takes a ServerConfigInput, PUT …/{server_name} a
 * ServerUpdateInput.
 */
export const userServerListSchema = z.object({ servers: z.array(serverInfoSchema) })
export type UserServerList = z.infer<typeof userServerListSchema>
