import type { Masker } from '@dataagent/guard'
import type { JsonObject } from '@dataagent/schema'
import { toCallerKey } from '../principal.ts'
import type { ApprovalAsk, ApprovalRow } from './contract.ts'
import { toDigest } from './digest.ts'
import type { ShownAction } from './shown-action.ts'
import { toStoredId, toStoredText } from './stored-text.ts'

export interface AskedRowOptions {
  masker: Pick<Masker, 'mask' | 'maskText'>
  timeoutMs: number
}

/** The row of a call that is asked for the first time, but for its id. */
export function toAskedRow(
  { masker, timeoutMs }: AskedRowOptions,
  ask: ApprovalAsk,
  now: number,
): Omit<ApprovalRow, 'approval_id'> {
  const { principal, tool } = ask
  return {
    tenant_id: principal.tenant_id,
    status: 'pending',
    caller: toCallerKey(principal),
    user_id: principal.user_id,
    agent_id: principal.agent_id ?? null,
    session_id: ask.session_id ?? null,
    run_id: ask.run_id ?? null,
    assignee: null,
    tool_call_id: toStoredId(ask.call_id),
    server_id: tool.server_id,
    tool_name: tool.name,
    definition_hash: ask.definition_hash,
    digest: toDigest(ask),
    action_request: JSON.stringify(toActionRequest(masker, ask)),
    reason: toStoredText(masker.maskText(ask.reason)),
    decision: null,
    message: null,
    via: null,
    decided_by: null,
    decided_at: null,
    decision_details: null,
    used_at: null,
    asked: 1,
    created_at: now,
    expires_at: now + (ask.timeoutMs ?? timeoutMs),
  }
}

/** What the approver reads: exact but for secrets, which are masked. */
function toActionRequest(masker: AskedRowOptions['masker'], ask: ApprovalAsk): ShownAction {
  const { tool, args, description, reach } = ask
  const shown = masker.mask(args) as JsonObject
  return { name: tool.name, args: shown, description, ...(reach && { reach }) }
}
