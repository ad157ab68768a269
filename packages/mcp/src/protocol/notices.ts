import type { ServerNotice } from '../client/contract.ts'
import type { JsonRpcNotification } from '../rpc/messages.ts'

/** What a notification tells the host; `undefined` for one that is of no use to it. */
export function toNotice({ method, params = {} }: JsonRpcNotification): ServerNotice | undefined {
  switch (method) {
    case 'notifications/tools/list_changed':
      return { kind: 'tools_changed' }
    case 'notifications/resources/list_changed':
      return { kind: 'resources_changed' }
    case 'notifications/prompts/list_changed':
      return { kind: 'prompts_changed' }
    case 'notifications/resources/updated':
      return typeof params.uri === 'string'
        ? { kind: 'resource_updated', uri: params.uri }
        : undefined
    case 'notifications/message':
      return toLog(params)
    case 'notifications/elicitation/complete':
      return typeof params.elicitationId === 'string'
        ? { kind: 'elicitation_complete', elicitationId: params.elicitationId }
        : undefined
    default:
      return undefined
  }
}

function toLog({ level, logger, data }: Record<string, unknown>): ServerNotice | undefined {
  if (typeof level !== 'string') return undefined
  return { kind: 'log', level, ...(typeof logger === 'string' && { logger }), data }
}
