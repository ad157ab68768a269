import type { Clock } from '@dataagent/guard'
import { type HITLRequestEvent, isAppError } from '@dataagent/schema'
import { type ApprovalRow, type Approvals, readShown, toDecided } from '../approvals/index.ts'
import type { CallContext } from '../call-context.ts'
import { sha256, toCanonicalJson } from '../canonical-json.ts'
import type { Limiter } from '../limits/index.ts'
import type { HubMetrics } from '../metrics/index.ts'
import { toReasonText } from '../policy/index.ts'
import { originOf } from '../servers/index.ts'
import type { Tracer } from '../tracing/index.ts'
import type { Validator } from '../validation/index.ts'
import { type AdmitMeans, admitAgain, isEnding } from './admit.ts'
import { inApprovalSpan } from './approval-span.ts'
import { checkInput } from './check-values.ts'
import { cancelled, refuse } from './fault.ts'
import { createPatience, outOfPatience } from './patience.ts'
import { reachOf } from './reach-of.ts'
import { rememberApproval } from './remember-approval.ts'
import type { Admitted, Ending } from './underway.ts'
import { withinLimits } from './within-limits.ts'

export interface ApproveMeans extends AdmitMeans {
  approvals: Approvals
  limiter: Limiter
  validator: Validator
  clock: Clock
  tracer: Pick<Tracer, 'start'>
  metrics: Pick<HubMetrics, 'approvalDecided'>
}

/**
 * Asks a person where the policy says so. What comes back is admitted anew: a permission, a
 * definition or a limit may have changed while the call waited. What was decided of a call that is
 * resumed holds also where a rule has come to allow it.
 */
export async function approve(means: ApproveMeans, admitted: Admitted): Promise<Admitted | Ending> {
  const asked = means.clock.now()
  if (admitted.verdict.status === 'allow') {
    const row = await means.approvals.decidedOf(toAsk(admitted))
    return row ? goOnWith(means, admitted, { row, asked }) : admitted
  }
  const { approver } = admitted.context
  if (approver.kind === 'nobody') return nobodyToAsk(admitted)
  if (approver.kind === 'auto') {
    const { setting, harmful } = approver
    if (!harmful || !mayDoHarm(admitted)) return autoApproved(admitted, setting)
    const context = { ...admitted.context, approver: harmful }
    return approve(means, { ...admitted, context })
  }
  const row = await ask(means, admitted)
  if (row.status === 'pending') return stillPending(admitted, row)
  return goOnWith(means, admitted, { row, asked })
}

async function goOnWith(
  means: ApproveMeans,
  admitted: Admitted,
  { row, asked }: { row: ApprovalRow; asked: number },
): Promise<Admitted | Ending> {
  admitted.record.approval_id = row.approval_id
  count(means, row)
  if (row.decision !== 'approve') return rejected(admitted, row)
  const given = await means.approvals.givenArgs(row, admitted.args)
  const again = admitAgain(means, given ? { ...admitted, args: given } : admitted)
  if (isEnding(again)) return again
  const waited = means.clock.now() - asked
  const refused = await withinLimits(means, again, ({ window_ms }) => window_ms < waited)
  if (refused) return refused
  const call = { ...toAsk(again), args: admitted.args }
  return (await spend(means, row, call)) ? approved(means, again, row) : usedAlready(again)
}

/** Where what waited for it goes on: once, whichever process the person's answer came to. */
function count({ metrics }: ApproveMeans, row: ApprovalRow): void {
  const { via, decision } = row
  const outcome = via === null || via === 'person' ? (decision ?? 'reject') : via
  const seconds = Math.max(0, (row.decided_at ?? row.created_at) - row.created_at) / 1000
  metrics.approvalDecided({ outcome, seconds })
}

/** What its server says is destructive, and what may be led by output that nobody vouches for. */
function mayDoHarm({ context, entry, verdict: { by } }: Admitted): boolean {
  const isDestructive = entry.tool.definition.annotations?.destructiveHint === true
  const isLed = by.kind === 'default' && by.why === 'after_untrusted_output'
  return isDestructive || isLed || (context.run?.untrusted.size ?? 0) > 0
}

/**
 * The decision holds once, for exactly the call that was asked for: once more where it was given
 * as decided though it had been used. What another call used while this one waited is used.
 */
function spend({ approvals }: ApproveMeans, row: ApprovalRow, call: Ask) {
  const { tenant_id, approval_id, status, used_at } = row
  const earlier_use = status === 'decided' ? used_at : null
  return approvals.use(tenant_id, approval_id, { ...call, earlier_use })
}

/** What was given in place of the arguments must fit as they had to. */
async function approved(means: ApproveMeans, again: Admitted, row: ApprovalRow) {
  const { decision, decided_by } = toDecided(row)
  const isEdited = decision.args !== undefined
  const misfit = isEdited && (await checkGiven(means, again, row))
  if (misfit) return misfit
  // The process that used it before may have come so far.
  const isRemembered = row.used_at !== null && again.verdict.status === 'allow'
  if (!isRemembered) await rememberApproval(means, again, { scope: decision.scope, row })
  return isEdited ? { ...again, edited_by: decided_by ?? '' } : again
}

async function checkGiven(means: ApproveMeans, again: Admitted, { decided_by }: ApprovalRow) {
  const { record, args, verdict } = again
  record.args_digest = sha256(toCanonicalJson(args))
  record.decided_by = JSON.stringify({ ...verdict.by, edited_by: decided_by })
  const misfit = await checkInput(means.validator, again)
  if (misfit === undefined || !('error' in misfit)) return misfit
  const message = `A person approved the call with other arguments. ${misfit.error.message}`
  return { ...misfit, error: { ...misfit.error, message, advice: 'ask_user' } } as Ending
}

/** The approval once it is decided; still pending where the caller does not wait so long. */
async function ask(means: ApproveMeans, admitted: Admitted): Promise<ApprovalRow> {
  for (;;) {
    const row = await askOnce(means, admitted)
    // Another run that waited for the same approval has ended with it. This one goes on.
    if (row.via !== 'withdrawal' || admitted.context.signal?.aborted) return row
  }
}

async function askOnce(means: ApproveMeans, admitted: Admitted): Promise<ApprovalRow> {
  const { approvals } = means
  const { context, record } = admitted
  const requested = await approvals.request(toAsk(admitted))
  record.approval_id = requested.row.approval_id
  if (requested.status === 'decided') return requested.row
  context.emit?.(toEvent(requested.row, means.clock.now()))
  using patience = patienceOf(means, context)
  try {
    return await inApprovalSpan(means.tracer, admitted, requested.row, () => waitFor(patience))
  } catch (error) {
    // An agent's run has ended with its wish, unless it goes on elsewhere; a client may come back
    // for the decision.
    const isOver = context.signal?.aborted && !isAppError(error, 'unavailable')
    if (isOver && context.approver.kind === 'wait') {
      await approvals.withdraw(record.tenant_id, record.approval_id)
    }
    throw error
  }

  /** Its row as it was asked, where nobody decides in time. */
  async function waitFor({ signal }: Pick<Patience, 'signal'>): Promise<ApprovalRow> {
    try {
      return await approvals.wait(record.tenant_id, requested.row.approval_id, signal)
    } catch (error) {
      if (error === outOfPatience) return requested.row
      throw error
    }
  }
}

type Patience = ReturnType<typeof patienceOf>
type Ask = ReturnType<typeof toAsk>

function toAsk(admitted: Admitted) {
  const { context, record, entry, call, args } = admitted
  const { approver } = context
  return {
    principal: context.principal,
    tool: { server_id: originOf(entry.tool.server_id), name: entry.tool.name },
    definition_hash: entry.tool.hash,
    args,
    once_for: onceFor(context, call),
    resumed: context.resumed,
    call_id: call.tool_call_id ?? record.call_id,
    session_id: context.session_id,
    run_id: context.run?.run_id,
    reason: toReasonText(admitted.verdict.by),
    description: entry.tool.definition.description,
    annotations: entry.tool.definition.annotations,
    reach: reachOf(entry),
    timeoutMs: approver.kind === 'wait' ? approver.timeoutMs : undefined,
  }
}

/** A run that is taken up again by another process asks for the same call under the same ids. */
function onceFor({ approver, run }: CallContext, { tool_call_id }: Admitted['call']) {
  if (approver.kind !== 'wait' || !run || tool_call_id === undefined) return undefined
  return `${run.run_id}/${tool_call_id}`
}

/** Ends with the caller, or when a held call has been held long enough. */
function patienceOf({ clock }: ApproveMeans, { approver, signal }: CallContext) {
  if (approver.kind === 'hold') return createPatience(clock, approver.holdMs, signal)
  return { signal, [Symbol.dispose]() {} }
}

function toEvent(row: ApprovalRow, timestamp: number): HITLRequestEvent {
  return {
    event_type: 'hitl_request',
    timestamp,
    approval_id: row.approval_id,
    action_request: readShown(row),
    expires_at: row.expires_at,
    reason: row.reason,
  }
}

function nobodyToAsk(admitted: Admitted): Ending {
  const { name } = admitted.entry.tool
  const { by } = admitted.verdict
  const isLed = by.kind === 'default' && by.why === 'after_untrusted_output'
  const wayOut = isLed
    ? 'vouch for what was read with the setting "trustedOutput" of its server, or with a policy ' +
      'rule that trusts it.'
    : 'allow it with a policy rule, or with the setting "toolApproval" of its server.'
  return refuse(admitted, 'denied', {
    code: 'approval_required',
    message:
      `"${name}" needs a person's approval (${toReasonText(by)}), and nobody can be asked here. ` +
      `An administrator can ${wayOut}`,
    advice: 'degrade',
  })
}

function autoApproved(admitted: Admitted, approved_by: string): Admitted {
  admitted.record.decided_by = JSON.stringify({ ...admitted.verdict.by, approved_by })
  return { ...admitted, approved_by }
}

function stillPending(admitted: Admitted, { approval_id, expires_at }: ApprovalRow): Ending {
  const until = new Date(expires_at).toISOString()
  return refuse(admitted, 'denied', {
    code: 'approval_required',
    message:
      `A person must approve this call (approval ${approval_id}, until ${until}). Make the same ` +
      'call again when it is approved.',
    advice: 'retry',
    approval_id,
  })
}

function rejected(admitted: Admitted, row: ApprovalRow): Ending {
  const { on_reject } = toDecided(row).decision
  const words = row.message ? `: ${row.message}` : '.'
  const told = {
    expiry: 'Nobody answered in time. It can be asked again.',
    withdrawal: 'The request for approval was withdrawn.',
    person: `A person rejected this call${words}`,
  }[row.via ?? 'person']
  return refuse(admitted, 'rejected', {
    code: 'approval_rejected',
    message: told,
    advice: row.via === 'expiry' ? 'ask_user' : 'give_up',
    approval_id: row.approval_id,
    ...(on_reject && { on_reject }),
  })
}

function usedAlready(admitted: Admitted): Ending {
  return refuse(admitted, 'denied', {
    code: 'approval_required',
    message:
      'The approval no longer holds: it was used by another call, or is not for these arguments. ' +
      'Make the call again to ask again.',
    advice: 'retry',
  })
}

/** Whether what went wrong while asking is the caller's own leaving. */
export function endOfAsking(admitted: Admitted, error: unknown): Ending {
  if (admitted.context.signal?.aborted) return cancelled(admitted)
  if (!isAppError(error)) throw error
  const status = error.code === 'rate_limited' ? 'limited' : 'unavailable'
  return refuse(admitted, status, {
    code: error.code,
    message: `Approval could not be asked for: ${error.message}`,
    advice: 'retry',
  })
}
