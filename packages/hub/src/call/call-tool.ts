import type { CallToolResult } from '@dataagent/mcp'
import { isAppError, isPlainObject } from '@dataagent/schema'
import { aroundQuestions } from '../around-questions.ts'
import type { Audit, CallRecord } from '../audit/index.ts'
import type { CallContext } from '../call-context.ts'
import { sha256, toCanonicalJson } from '../canonical-json.ts'
import type { FairSlots } from '../limits/index.ts'
import type { Results } from '../results/index.ts'
import { originOf } from '../servers/index.ts'
import type { Validator } from '../validation/index.ts'
import { admit, isEnding, toAskedName } from './admit.ts'
import { type AdmitSoonMeans, admitSoon } from './admit-soon.ts'
import { type ApproveMeans, approve, endOfAsking } from './approve.ts'
import { createCallIds } from './call-ids.ts'
import { checkInput, checkOutput } from './check-values.ts'
import type { CallTool, ToolCall } from './contract.ts'
import { copyArgs } from './copy-args.ts'
import { type Ask, type ExecuteMeans, type Execution, prepare } from './execute.ts'
import { toEnding } from './failure.ts'
import { cancelled, refuse } from './fault.ts'
import { type FinishMeans, finish, toSpanName } from './finish.ts'
import { createLentSlot } from './lent-slot.ts'
import type { OpenQuestions } from './open-questions.ts'
import { openRecord } from './open-record.ts'
import { createPatience, outOfPatience } from './patience.ts'
import type { Admitted, Ending, Underway } from './underway.ts'
import { withinLimits } from './within-limits.ts'

export interface CallMeans
  extends ApproveMeans,
    ExecuteMeans,
    AdmitSoonMeans,
    Omit<FinishMeans, 'audit'> {
  upstreams: ExecuteMeans['upstreams'] & AdmitSoonMeans['upstreams']
  metrics: ApproveMeans['metrics'] & FinishMeans['metrics']
  audit: Pick<Audit, 'begin' | 'record'>
  results: Pick<Results, 'fit'>
  validator: Validator
  slots: FairSlots
  openQuestions: OpenQuestions
  /** Told of what should not have happened. Must not throw. */
  onInternalError(
    error: unknown,
    call: Pick<CallRecord, 'call_id' | 'tenant_id' | 'tool_name'>,
  ): void
}

/** Makes the one way to run a tool. */
export function createCallTool(means: CallMeans): CallTool {
  const nextId = createCallIds(means.clock)
  return async (context, call) => {
    const underway = begin(means, context, { call, call_id: nextId() })
    let ending: Ending
    try {
      ending = await pass(means, underway)
    } catch (error) {
      const { call_id, tenant_id, tool_name } = underway.record
      means.onInternalError(error, { call_id, tenant_id, tool_name })
      ending = broken(underway)
    }
    return finish(means, underway, ending)
  }
}

function begin(
  means: CallMeans,
  context: CallContext,
  given: { call: ToolCall; call_id: string },
): Underway {
  const call = { ...given.call, tool: toNamed(given.call.tool) }
  const tool_name = toAskedName({ call })
  const { tracer, clock } = means
  const span = tracer.start(toSpanName(means, { tool_name }), { parent: context.trace })
  const { call_id } = given
  const record = openRecord(context, { call_id, tool_name, span, now: clock.now() })
  return { context, call, args: {}, record, span, begun: clock.monotonic() }
}

/** What no tool can be called is no name: a model may send anything. */
function toNamed(tool: unknown): ToolCall['tool'] {
  if (typeof tool === 'string') return tool
  const { server_id, name } = isPlainObject(tool) ? tool : {}
  return typeof server_id === 'string' && typeof name === 'string' ? { server_id, name } : ''
}

/** Resolve, authorise, limit, validate, approve; then execute. Waits only where it must. */
async function pass(means: CallMeans, underway: Underway): Promise<Ending> {
  if (underway.context.signal?.aborted) return cancelled(underway)
  const copied = copyArgs(underway.call.args)
  if (copied.status === 'ok') underway.args = copied.args
  const first = admit(means, underway)
  const admitted = isEnding(first) ? await admitSoon(means, underway, first) : first
  if (isEnding(admitted)) return admitted
  if (copied.status === 'refused') return badArguments(admitted, copied.why)
  const limited = withinLimits(means, admitted)
  const overdrawn = limited && (await limited)
  if (overdrawn) return overdrawn
  const checked = checkInput(means.validator, admitted)
  const misfit = checked instanceof Promise ? await checked : checked
  if (misfit) return misfit
  admitted.record.args_digest = sha256(toCanonicalJson(admitted.args))
  const isAllowed = admitted.verdict.status === 'allow'
  if (isAllowed && admitted.context.resumed === undefined) return await inSlot(means, admitted)
  const approved = await approve(means, admitted).catch((error) => endOfAsking(admitted, error))
  if (isEnding(approved)) return approved
  underway.args = approved.args
  return await inSlot(means, approved)
}

async function inSlot(means: CallMeans, approved: Admitted): Promise<Ending> {
  const execution = prepare(means, approved)
  if (execution === undefined) return removed(approved)
  const { tenant_id } = approved.record
  const free = means.slots.take(tenant_id)
  const slot = free ?? (await acquire(means, approved, execution.deadlineMs))
  if (slot === undefined) return cancelled(approved)
  if (slot === 'busy') return busy(approved)
  const lent = createLentSlot(means.slots, tenant_id, slot)
  const ask: Ask = (questions, { server_id }) =>
    means.openQuestions.bound(aroundQuestions(questions, lent.during), { tenant_id, server_id })
  try {
    return await execute(means, approved, { execution, ask })
  } finally {
    lent.release()
  }
}

/** Waits no longer than the call may take. Undefined where the caller left meanwhile. */
async function acquire(means: CallMeans, { context, record }: Admitted, ms: number) {
  using patience = createPatience(means.clock, ms, context.signal)
  try {
    return await means.slots.acquire(record.tenant_id, patience.signal)
  } catch (error) {
    if (error === outOfPatience) return 'busy'
    if (context.signal?.aborted) return undefined
    throw error
  }
}

async function execute(
  means: CallMeans,
  approved: Admitted,
  { execution, ask }: { execution: Execution; ask: Ask },
): Promise<Ending> {
  if (approved.context.signal?.aborted) return cancelled(approved)
  try {
    await recordStart(means, approved, execution)
    approved.record.attempts = 1
  } catch (error) {
    return unrecorded(approved, error)
  }
  let raw: CallToolResult
  try {
    raw = await execution.run(ask)
  } catch (error) {
    if (execution.refused) return execution.refused
    const ending = toEnding(approved, error, execution.idempotent)
    if (!ownWords.has(ending.status)) markRun(approved, execution)
    return ending
  }
  markRun(approved, execution)
  return judge(means, approved, raw)
}

/** Failures that are told in our own words alone; any other may hold those of the server. */
const ownWords: ReadonlySet<Ending['status']> = new Set(['cancelled', 'limited', 'timeout'])

function markRun({ context, entry }: Admitted, { untrusted }: Execution): void {
  if (untrusted) context.run?.untrusted.add(originOf(entry.tool.server_id))
}

/**
 * From here on the call may have an effect: that it began must outlive this process, in the audit
 * and, where the caller has a log of its own, there.
 */
async function recordStart(
  means: CallMeans,
  { context, record }: Admitted,
  { idempotent }: Execution,
): Promise<void> {
  await means.audit.begin({ idempotent, record })
  const { call_id, tool_name } = record
  await context.recordStart?.({ call_id, tool_name, idempotent })
}

function unrecorded(approved: Admitted, error: unknown): Ending {
  if (!isAppError(error)) throw error
  return refuse(approved, 'unavailable', {
    code: error.code,
    message: `The call was not made, because its start could not be recorded: ${error.message}`,
    advice: 'retry',
  })
}

/** At once, but for what is checked in a worker or too large to hand over. */
function judge(means: CallMeans, approved: Admitted, raw: CallToolResult) {
  if (raw.isError === true) return toolFailed(means, approved, raw)
  const checked = checkOutput(means.validator, approved, raw)
  if (checked === undefined) return handOver(means, approved, raw)
  if (!(checked instanceof Promise)) return checked
  return checked.then((misfit) => misfit ?? handOver(means, approved, raw))
}

function handOver(
  means: CallMeans,
  { context }: Admitted,
  raw: CallToolResult,
): Ending | Promise<Ending> {
  const fitted = means.results.fit(context.principal, raw)
  if (!(fitted instanceof Promise)) return { status: 'ok', result: fitted }
  return fitted.then((result) => ({ status: 'ok', result }))
}

const toldMax = 2_048

async function toolFailed(
  means: CallMeans,
  approved: Admitted,
  raw: CallToolResult,
): Promise<Ending> {
  const result = await means.results.fit(approved.context.principal, raw)
  const message = result.text.replace(/^Error: /, '').slice(0, toldMax)
  const spec = { code: 'upstream_failed', message, advice: 'degrade' } as const
  return { ...refuse(approved, 'failed', spec), result } as Ending
}

function badArguments(admitted: Admitted, why: string): Ending {
  admitted.record.input_validation = 'invalid'
  return refuse(admitted, 'invalid', {
    code: 'invalid_arguments',
    message: `The arguments cannot be used: ${why}.`,
    advice: 'fix_arguments',
  })
}

function busy(approved: Admitted): Ending {
  return refuse(approved, 'limited', {
    code: 'rate_limited',
    message: 'Too many calls of your tenant are waiting: try again in a moment.',
    advice: 'retry',
    retry_after_ms: 1_000,
  })
}

function removed(approved: Admitted): Ending {
  return refuse(approved, 'unavailable', {
    code: 'unavailable',
    message: 'The server of the tool was removed.',
    advice: 'degrade',
  })
}

function broken(underway: Underway): Ending {
  return refuse(underway, 'failed', {
    code: 'internal',
    message: `The tool failed unexpectedly. Tell the operator of this platform the number ${underway.record.call_id}.`,
    advice: 'degrade',
  })
}
