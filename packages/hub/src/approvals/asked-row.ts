import type { Masker } from '@dataagent/guard'
import { toCallerKey } from '../principal.ts'
import type { ApprovalAsk, ApprovalRow } from './contract.ts'
import { toDigest } from './digest.ts'
import type { NotShown, ShownAction } from './shown-action.ts'
import { toShownArgs } from './shown-args.ts'
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

/** What the approver reads. Who is not shown all of it is told so, before anything else. */
function toActionRequest(masker: AskedRowOptions['masker'], ask: ApprovalAsk): ShownAction {
  const { tool, description, reach } = ask
  const { args, not_shown } = toShownArgs(masker, ask.args)
  const shown = { name: tool.name, args, description, ...toClaims(ask) }
  if (not_shown.masked + not_shown.cut === 0) return { ...shown, ...(reach && { reach }) }
  const told = `${toNotice(not_shown)}\n\n${description}`
  return { ...shown, description: told, reach: onceOnly, not_shown }
}

function toClaims({ annotations = {} }: ApprovalAsk): Pick<ShownAction, 'annotations'> {
  const { readOnlyHint, destructiveHint } = annotations
  if (readOnlyHint === undefined && destructiveHint === undefined) return {}
  return {
    annotations: {
      ...(readOnlyHint !== undefined && { readOnlyHint }),
      ...(destructiveHint !== undefined && { destructiveHint }),
    },
  }
}

const onceOnly = { scopes: ['once'], why: 'parts of the arguments are not shown' } as const

function toNotice({ masked, cut }: NotShown): string {
  const parts = [
    masked > 0 && `${masked} characters that are masked as secrets`,
    cut > 0 && `${cut} characters of texts that are too long`,
  ]
  return `Not shown of the arguments, and part of what runs: ${parts.filter(Boolean).join(', ')}.`
}
