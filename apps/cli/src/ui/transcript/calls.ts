import {
  type ApprovalDecidedEvent,
  type HITLRequestEvent,
  type JsonObject,
  type ToolResultEvent,
  toShownResult,
} from '@dataagent/schema'
import { type Call, isOver } from '../blocks/call.ts'
import { type ResultPart, toResultParts } from '../blocks/result-parts.ts'
import { toShortArgs, toToolName } from '../blocks/tool-name.ts'
import type { Theme } from '../contract.ts'

/** Calls that are not over, by their ids and by what was asked about them. */
export function createCalls() {
  const byId = new Map<string, Call>()
  const byApproval = new Map<string, Call>()
  return {
    get: (id: string | undefined) => (id === undefined ? undefined : byId.get(id)),
    add: (call: Call) => byId.set(call.tool_call_id, call),
    end(call: Call, event: ToolResultEvent) {
      Object.assign(call, toEnd(event))
      byId.delete(call.tool_call_id)
    },
    ask({ approval_id }: HITLRequestEvent, call: Call) {
      call.state = 'waiting'
      byApproval.set(approval_id, call)
    },
    /** The call that was asked about, where it still waits. */
    decide({ approval_id }: ApprovalDecidedEvent): Call | undefined {
      const call = byApproval.get(approval_id)
      byApproval.delete(approval_id)
      return call && !isOver(call) ? call : undefined
    },
    /** What was under way when its run ended has no end of its own. */
    endAll() {
      for (const call of byId.values()) {
        Object.assign(call, { state: 'stopped', outcome: 'interrupted' })
      }
      byId.clear()
      byApproval.clear()
    },
    get isAnyOpen() {
      return byId.size > 0
    },
    get isAnyMoving() {
      return [...byId.values()].some(({ state }) => state !== 'waiting')
    },
  }
}

export interface NewCall {
  tool_call_id: string
  tool_name: string
  tool_args: JsonObject
}

export function toCall({ tool_call_id, tool_name, tool_args }: NewCall, theme: Theme): Call {
  return {
    ...{ tool_call_id, name: toToolName(tool_name, theme), about: toShortArgs(tool_args, theme) },
    ...{ state: 'asked', outcome: undefined, since: 0, duration_ms: undefined },
    ...{ result: () => [], isUntrusted: false, decisions: [], files: [] },
    ...{ blocks: [], below: [] },
  }
}

function toEnd(event: ToolResultEvent): Partial<Call> {
  const { status, outcome, duration_ms, untrusted = [] } = event
  const isStop = outcome === 'cancelled' || outcome === 'rejected' || outcome === 'interrupted'
  const failed = isStop ? 'stopped' : 'failed'
  let parts: ResultPart[] | undefined
  return {
    state: status === 'success' ? 'ok' : failed,
    ...{ outcome, duration_ms, isUntrusted: untrusted.length > 0 },
    result() {
      parts ??= toResultParts(toShownResult(event))
      return parts
    },
  }
}
