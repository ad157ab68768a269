import type { Hub, ToolOutcome } from '@dataagent/hub'
import { isPlainObject } from '@dataagent/schema/base'
import type { GroupNames } from '../groups/index.ts'
import { toCallContext } from './call-context.ts'
import type { Caller, Exchange, Reply, RpcRequest } from './contract.ts'
import { rpcCodes, toCallFaultReply, toFaultReply } from './faults.ts'
import { toStandardResult } from './tool-result.ts'

export interface ToolCallOptions {
  hub: Pick<Hub, 'callTool' | 'catalogue'>
  names: Pick<GroupNames, 'refOf'>
  holdMs: number
}

/** `tools/call`: through the hub, as every call of a tool. */
export function createToolCall({ hub, names, holdMs }: ToolCallOptions) {
  return async (caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply> => {
    const { name, arguments: args = {} } = request.params ?? {}
    if (typeof name !== 'string' || name === '' || !isPlainObject(args)) {
      return toFaultReply(rpcCodes.params, 'tools/call needs a name, and arguments as an object.')
    }
    const ref = names.refOf(caller.group_id, name)
    const context = toCallContext(caller, request, { exchange, holdMs })
    const outcome = await hub.callTool(context, {
      tool: ref ?? name,
      args,
      tool_call_id: String(request.id),
    })
    return toReply(outcome, { name, caller, exchange })
  }
}

interface Asked {
  name: string
  caller: Caller
  exchange: Exchange
}

function toReply(outcome: ToolOutcome, { name, caller, exchange }: Asked): Reply {
  if ('result' in outcome && outcome.result !== undefined) {
    return { kind: 'result', result: toStandardResult(outcome.result, { caller, exchange }) }
  }
  if (outcome.status === 'ok') throw new TypeError('an outcome without its result')
  const { error } = outcome
  if (outcome.status === 'denied' && outcome.tool === undefined) {
    // Of what is not there and what is not theirs callers learn the same.
    return toFaultReply(rpcCodes.params, `Unknown tool: ${name}`, { error_code: error.code })
  }
  if (outcome.status === 'invalid' && exchange.version >= '2025-11-25') {
    return { kind: 'result', result: toErrorResult(error, exchange) }
  }
  return toCallFaultReply(error)
}

/** Since 2025-11-25 wrong arguments are told to the model, which can mend them. */
function toErrorResult(error: { message: string; errors?: unknown }, { era }: Exchange) {
  return {
    content: [{ type: 'text', text: error.message }],
    isError: true,
    ...(error.errors !== undefined && { _meta: { 'dataagent/errors': error.errors } }),
    ...(era === 'modern' && { resultType: 'complete' }),
  }
}
