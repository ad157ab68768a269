import {
  type CallContext,
  type CatalogueEntry,
  createToolset,
  type OwnTool,
  type ToolOutcome,
  type ToolResult,
  type Toolset,
} from '@dataagent/hub'
import {
  type ExecutionEvent,
  type JsonObject,
  type JsonValue,
  judgeJson,
  type ToolCallStatus,
  toolCallStatusSchema,
} from '@dataagent/schema'
import type { RejectRule } from '../hitl/index.ts'
import type { AgentState, RequestedCall, ToolCallRequest, ToolReply } from '../middleware/index.ts'
import type { ToolMessage } from '../models/index.ts'
import { besideText } from './beside-text.ts'
import type { OpenCall } from './conversation.ts'
import { endingWith } from './ending-with.ts'
import { fitResult } from './fit-result.ts'
import { noteForeign } from './foreign-event.ts'
import type { Run } from './run.ts'

/** How a round of calls ended: `rejected` where a person's no ends the run. */
export type CallsEnd = 'go_on' | 'rejected'

/**
 * Runs the calls of one reply, all at once, and logs their results. Never throws for what a tool or
 * a person does. A rejection that ends the run lets finish what was approved, and withdraws what
 * nobody has decided.
 */
export async function runCalls(
  run: Run,
  calls: readonly RequestedCall[],
  state: AgentState,
): Promise<CallsEnd> {
  const readable = calls.map(toReadable)
  run.log.note(...readable.map((call) => toCallEvent(run, call)))
  await Promise.all(readable.map((call) => runCall(run, call, { state })))
  return toEnd(run)
}

/** A rejection counts wherever it was: also a sub-agent's. */
function toEnd({ asking }: Run): CallsEnd {
  return asking.isWithdrawn ? 'rejected' : 'go_on'
}

/** The calls that a run left when its process died: what may have run is not run again. */
export async function runOpenCalls(
  run: Run,
  calls: readonly OpenCall[],
  state: AgentState,
): Promise<CallsEnd> {
  const lost = calls.filter(({ started }) => started && !started.idempotent)
  if (lost.length > 0)
    await run.log.write(...lost.map(({ id }) => toLostResult(run.means.clock.now(), id)))
  const again = calls.filter((call) => !lost.includes(call))
  await Promise.all(
    again.map((call) => {
      const { id, name, args } = call
      return runCall(run, { id, name, args, raw: '' }, { state, resumed: resumedBy(call) })
    }),
  )
  return toEnd(run)
}

/** The approval that goes on to hold for a call that a dead process left. */
export function resumedBy({ approval_id, started }: OpenCall): string | undefined {
  return started ? undefined : approval_id
}

/** A call as it is logged; `tool` where the model means one that only this run has. */
export function toCallEvent(run: Run, call: RequestedCall, tool?: OwnTool): ExecutionEvent {
  const { name, args, entry } = meantBy(run, call, tool)
  const { means } = run
  return {
    event_type: 'tool_call',
    timestamp: means.clock.now(),
    tool_name: entry?.sdk_name ?? name,
    tool_args: toJsonObject(args),
    tool_call_id: call.id,
    wire_name: call.name,
    ...(entry && !entry.own && { server_id: entry.tool.server_id }),
    ...(call.args !== args && { wire_args: toJsonObject(call.args) }),
  }
}

interface Meant extends Pick<RequestedCall, 'name' | 'args'> {
  entry: CatalogueEntry | undefined
  toolset: Toolset
}

function meantBy({ view, agent }: Run, call: RequestedCall, tool: OwnTool | undefined): Meant {
  if (tool) {
    const toolset = toolsetOfOne(tool)
    return { name: call.name, args: call.args, entry: toolset.find(tool.name), toolset }
  }
  const { name, args } = view.unwrap(call)
  return { name, args, entry: view.find(name), toolset: agent.toolset }
}

const toolsets = new WeakMap<OwnTool, Toolset>()

function toolsetOfOne(tool: OwnTool): Toolset {
  const toolset = toolsets.get(tool) ?? createToolset([tool])
  toolsets.set(tool, toolset)
  return toolset
}

/** Arguments that could not be read back from the log, or not be written, are none. */
export function toReadable(call: RequestedCall): RequestedCall {
  const { args, raw } = call
  if (args === undefined) return call
  const isReadable = raw.length <= maxArgsLength && judgeJson(args).status === 'ok'
  return isReadable ? call : { ...call, args: undefined }
}

/** As the model wrote them. */
const maxArgsLength = 512 * 1024

/** They were parsed from JSON. */
function toJsonObject(args: RequestedCall['args']): JsonObject {
  return { ...args } as JsonObject
}

interface CallManner {
  state: AgentState
  /** Where the model means one that only this run has. */
  tool?: OwnTool | undefined
  /** What a process that died had asked for it: see `CallContext`. */
  resumed?: string | undefined
}

/** Runs one call and logs its result, which it gives as well. Never throws for what a tool does. */
export async function runCall(run: Run, call: RequestedCall, how: CallManner): Promise<ToolReply> {
  const { clock } = run.means
  const begun = clock.monotonic()
  const before = new Set(run.state.untrusted)
  const {
    reply,
    gave,
    onReject = run.agent.onReject,
  } = await endingWithRun(run, () => carryOut(run, call, how))
  if (reply.outcome === 'rejected' && onReject === 'end') run.asking.withdrawAll()
  await run.means.probe?.('tool_ended')
  const outcome = toStatus(reply.outcome)
  const { shownRoom: runRoom } = run
  const shown = gave && besideText(gave.result, { isOwn: gave.isOwn, runRoom })
  await run.log.write({
    event_type: 'tool_result',
    timestamp: clock.now(),
    tool_call_id: call.id,
    result: await fitResult(run, toLoggable(reply)),
    ...(shown && { shown }),
    status: reply.status,
    ...(outcome !== undefined && { outcome }),
    duration_ms: Math.round(clock.monotonic() - begun),
    ...untrustedSince(before, run.state.untrusted),
  })
  await run.means.probe?.('result_logged')
  return reply
}

interface CarriedOut {
  reply: ToolReply
  /** Set where the reply says what the tool gave. */
  gave?: { result: ToolResult; isOwn: boolean } | undefined
  /** What a person wants their no to do, where they have said so. */
  onReject?: RejectRule | undefined
}

/** A tool or a middleware that does not hear the signal is left to itself. */
async function endingWithRun(run: Run, work: () => Promise<CarriedOut>): Promise<CarriedOut> {
  const { signal, means } = run
  if (signal.aborted) return { reply: cancelledReply }
  try {
    return await endingWith(signal, { clock: means.clock, graceMs }, work())
  } catch (error) {
    if (!signal.aborted) throw error
    return { reply: cancelledReply }
  }
}

/** What hears the signal says itself how it ended. */
const graceMs = 100

async function carryOut(
  run: Run,
  call: RequestedCall,
  { state, tool, resumed }: CallManner,
): Promise<CarriedOut> {
  const { agent, runtime } = run
  if (call.answer) return { reply: toAnswered(call.answer) }
  const { name, args, entry, toolset } = meantBy(run, call, tool)
  if (args === undefined) return { reply: badJson(name, call.raw) }
  const request = { call: { id: call.id, name, args: { ...args } }, entry }
  let last: CarriedOut | undefined
  let isFirst = true
  try {
    const reply = await agent.composed.toolCall({ ...request, state, runtime }, async (asked) => {
      // A middleware may make the call again, which is then another one.
      const earlier = isFirst ? resumed : undefined
      isFirst = false
      last = await callHub(run, asked, { tools: toolset, resumed: earlier })
      return last.reply
    })
    return { reply, onReject: last?.onReject, gave: isAsGiven(reply, last) ? last.gave : undefined }
  } catch (error) {
    run.means.onError?.(error, run)
    return { reply: brokenReply(name) }
  }
}

/** What a middleware says in a result's place, it says in place of all of it. */
function isAsGiven(reply: ToolReply, last: CarriedOut | undefined): last is CarriedOut {
  if (last === undefined) return false
  return last.reply.content === reply.content && last.reply.result === reply.result
}

/** The one way from an agent to a tool. */
async function callHub(
  run: Run,
  { call, entry }: ToolCallRequest,
  { tools, resumed }: { tools: Toolset; resumed: string | undefined },
): Promise<CarriedOut> {
  const { log, asking, means, signal, view } = run
  const own = new AbortController()
  const stop = () => own.abort(run.lost.aborted ? run.lost.reason : signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const earlier = run.conversation.approvalOf(call.id)
  const asked = asking.ofCall(call.id, () => own.abort(), earlier)
  const context: CallContext = {
    ...{ principal: run.principal, source: 'agent', session_id: run.session_id, run: run.state },
    ...{ tools, approver: asking.approver, resumed, trace: run.span.context },
    signal: own.signal,
    emit(event) {
      if (event.event_type !== 'hitl_request') return noteForeign(run, event)
      asked.onAsked(event)
      void means.probe?.('approval_asked')
    },
    async recordStart({ call_id, tool_name, idempotent }) {
      await means.probe?.('call_admitted')
      await asked.settle()
      const timestamp = means.clock.now()
      const started = { event_type: 'tool_started', timestamp, tool_call_id: call.id } as const
      await log.write({ ...started, tool_name, call_id, idempotent })
      await means.probe?.('tool_started')
    },
  }
  try {
    const tool = entry ? { server_id: entry.tool.server_id, name: entry.tool.name } : call.name
    const given = { tool, args: call.args, tool_call_id: call.id }
    const outcome = await means.hub.callTool(context, given)
    await asked.settle()
    const onReject = outcome.status === 'rejected' ? outcome.error.on_reject : undefined
    const result = 'result' in outcome ? outcome.result : undefined
    const gave = result && { result, isOwn: entry?.own !== undefined }
    return { reply: toToolReply(outcome, view.schemaFor(call.name)), onReject, gave }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** What the model reads of a call's end: the result's text, or the error object as it is. */
function toToolReply(outcome: ToolOutcome, inputSchema: unknown): ToolReply {
  if (outcome.status === 'ok') {
    const { text } = outcome.result
    return { content: text, status: 'success', outcome: 'ok', result: text }
  }
  if (outcome.status === 'failed' && outcome.result) {
    const { text } = outcome.result
    return { content: text, status: 'error', outcome: outcome.status, result: text }
  }
  const { error } = outcome
  const isMisfit = error.code === 'invalid_arguments' && inputSchema !== undefined
  const result = isMisfit ? { ...error, input_schema: inputSchema } : error
  return { content: JSON.stringify(result), status: 'error', outcome: outcome.status, result }
}

function faultReply(outcome: string, fault: Record<string, unknown>): ToolReply {
  return { content: JSON.stringify(fault), status: 'error', outcome, result: fault }
}

/** A hook has answered in the tool's place. */
function toAnswered({ content, is_error }: ToolMessage): ToolReply {
  const status = is_error ? 'error' : 'success'
  return { content, status, outcome: is_error ? 'failed' : 'ok', result: content }
}

const cancelledReply = faultReply('cancelled', {
  code: 'cancelled',
  message: 'The run was cancelled before the tool answered.',
  advice: 'give_up',
})

function badJson(tool_name: string, raw: string): ToolReply {
  return faultReply('invalid', {
    code: 'invalid_arguments',
    message: `The arguments are ${toMisfit(raw)}. They begin: ${raw.slice(0, 200)}`,
    tool_name,
    advice: 'fix_arguments',
  })
}

function toMisfit(raw: string): string {
  return raw.length > maxArgsLength ? 'too long' : 'no JSON object'
}

function brokenReply(tool_name: string): ToolReply {
  return faultReply('failed', {
    code: 'internal',
    message: 'The tool failed unexpectedly.',
    tool_name,
    advice: 'degrade',
  })
}

/** The result of a call that was begun by a process that is no more. */
export function toLostResult(timestamp: number, tool_call_id: string): ExecutionEvent {
  return {
    event_type: 'tool_result',
    timestamp,
    tool_call_id,
    result: {
      code: 'unknown_outcome',
      message:
        'The platform was interrupted while the tool ran. It may have taken effect and is not run ' +
        'again by itself: ask the user before repeating it.',
      advice: 'ask_user',
    },
    status: 'error',
    outcome: 'unknown_outcome',
  }
}

/** The outcome as events write it; a middleware may have words of its own. */
function toStatus(outcome: string): ToolCallStatus | undefined {
  return toolCallStatusSchema.safeParse(outcome === 'failed' ? 'error' : outcome).data
}

/** What a middleware gives as the result may be anything. */
function toLoggable({ result, content }: ToolReply): JsonValue {
  if (typeof result === 'string') return result
  return judgeJson(result).status === 'ok' ? (result as JsonValue) : content
}

function untrustedSince(before: ReadonlySet<string>, now: ReadonlySet<string>) {
  const untrusted = [...now].filter((server_id) => !before.has(server_id))
  return untrusted.length > 0 ? { untrusted } : {}
}
