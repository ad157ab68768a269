import type { Gateway, ToolGroup } from '@dataagent/gateway'
import { AppError, type ToolGroupInfo } from '@dataagent/schema'
import type { Platform } from '../platform/index.ts'

/** Throws `not_found` where there is none. */
export function gatewayOf({ gateway }: Platform): Gateway {
  if (gateway) return gateway
  const message = 'The gateway is switched off. Start the server with DATAAGENT_GATEWAY=true.'
  throw new AppError('not_found', message)
}

/** A group with the addresses to paste. */
export function toGroupInfo({ ownUrl }: Platform, group: ToolGroup): ToolGroupInfo {
  const own = ownUrl().replace(/\/$/, '')
  const urls = {
    streamable_http: `${own}/mcp/g/${group.group_id}`,
    sse: `${own}/mcp/v1/sse`,
    jsonrpc: `${own}/api/v1/mcp/jsonrpc`,
  }
  return { ...group, key: group.key ?? null, urls }
}
