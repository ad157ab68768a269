import type { AnyEvent, ExecutionEvent } from '@dataagent/schema'
import { isKnownEvent } from '@dataagent/schema'
import { unwrapToolCall } from '../intent/index.ts'
import type { AssistantMessage, ModelMessage, Reasoning } from '../models/index.ts'

/** A call that has no result yet. */
export interface OpenCall {
  id: string
  /** By the model's name for it. */
  name: string
  args: Record<string, unknown>
  /** What was asked for it last; set also when that is decided. */
  approval_id?: string
  /** Set once the tool was started. */
  started?: { idempotent: boolean }
}

/**
 * A session as the fold of its log: what a model reads of it, and what its last run left. A run
 * that is under way is folded by the same function, event by event, as one that is read back.
 */
export interface Conversation {
  /** The seq of the last event. */
  readonly head: number
  readonly messages: readonly ModelMessage[]
  /** Servers that nobody vouches for whose output is in it. */
  readonly untrusted: Set<string>
  /** Tools, by wire name, that the model has called. */
  readonly called: ReadonlySet<string>
  /** The run that has not ended. */
  readonly openRun: string | undefined
  /** The run before the last one: what a driver has seen of the session is known by it. */
  readonly previousRun: string | undefined
  readonly openCalls: readonly OpenCall[]
  /** Approvals that the open run has asked for and nobody has decided. */
  readonly openApprovals: readonly string[]
  /** Of these, the one that a call waits for. */
  approvalOf(tool_call_id: string): string | undefined
  /** The text of a reply that has begun and that nothing has ended. */
  readonly partialText: string | undefined
  /** Whether the last run ended in an error that may pass. */
  readonly isRetryable: boolean
  hasMessage(message_id: string): boolean
  /** Of the last thousand user messages, also of those that a summary stands for. */
  readonly messageIds: readonly string[]
  /** Takes the next event. Events of unknown kinds only count. */
  apply(event: AnyEvent, place: { seq: number; run_id?: string | undefined }): void
  /** The seq of the last event that the first `count` messages stand for. */
  seqThrough(count: number): number
}

/** What a result that will never come is for the model. */
const lostResult = 'No result: the call was interrupted, and whether it took effect is not known.'
const maxRememberedIds = 1_000

interface Reply {
  text: string
  isFinal: boolean
  reasoning: Reasoning[]
  calls: OpenCall[]
  seq: number
}

export function createConversation(): Conversation {
  const messages: ModelMessage[] = []
  /** For each message the last seq that it was made from. */
  const seqs: number[] = []
  const untrusted = new Set<string>()
  const called = new Set<string>()
  let message_ids = new Set<string>()
  const openCalls = new Map<string, OpenCall>()
  /** By the call that waits for it. */
  const openApprovals = new Map<string, string | undefined>()
  let head = 0
  let openRun: string | undefined
  let lastRun: string | undefined
  let previousRun: string | undefined
  let reply: Reply | undefined
  let isRetryable = false

  function begin(run_id: string): void {
    if (run_id !== openRun) isRetryable = false
    if (run_id !== lastRun) previousRun = lastRun
    lastRun = run_id
    openRun = run_id
  }

  function push(message: ModelMessage, seq: number): void {
    messages.push(message)
    seqs.push(seq)
  }

  /** The reply under way becomes a message; its calls wait for their results. */
  function closeReply(): void {
    if (reply === undefined) return
    const { text, reasoning, calls, seq } = reply
    reply = undefined
    if (text === '' && calls.length === 0) return
    push(toAssistantMessage(text, reasoning, calls), seq)
  }

  function answer(call: OpenCall, content: string, is_error: boolean): void {
    openCalls.delete(call.id)
    const name = toWireName(call.name)
    push({ role: 'tool', tool_call_id: call.id, name, content, is_error }, head)
  }

  /** A model's API wants an answer to each call, also to one that has none. */
  function answerTheRest(): void {
    closeReply()
    for (const call of [...openCalls.values()]) answer(call, lostResult, true)
  }

  function replyOf(seq: number): Reply {
    if (reply === undefined && openCalls.size > 0) answerTheRest()
    reply ??= { text: '', isFinal: false, reasoning: [], calls: [], seq }
    reply.seq = seq
    return reply
  }

  const folds: { [K in ExecutionEvent['event_type']]?: Fold<K> } = {
    user_message({ content, message_id }, seq) {
      answerTheRest()
      message_ids.add(message_id)
      if (message_ids.size > maxRememberedIds)
        message_ids.delete(message_ids.values().next().value!)
      push({ role: 'user', content }, seq)
    },
    text({ content, is_final, restarts }, seq) {
      // The last part was there: this is another reply.
      if (reply?.isFinal && !restarts) closeReply()
      const current = replyOf(seq)
      current.text = restarts ? content : current.text + content
      current.isFinal = is_final
      if (restarts) current.reasoning = []
    },
    reasoning({ content, signature, redacted }, seq) {
      replyOf(seq).reasoning.push({ text: content, signature, redacted })
    },
    tool_call({ tool_call_id, tool_name, wire_name, tool_args, wire_args }, seq) {
      const call: OpenCall = {
        id: tool_call_id,
        name: wire_name ?? tool_name,
        args: wire_args ?? tool_args,
      }
      replyOf(seq).calls.push(call)
      openCalls.set(call.id, call)
      called.add(meantTool(call))
    },
    tool_started({ tool_call_id, idempotent = false }) {
      const call = openCalls.get(tool_call_id)
      if (call) call.started = { idempotent }
    },
    tool_result({ tool_call_id, result, status, untrusted: servers = [] }) {
      closeReply()
      for (const server_id of servers) untrusted.add(server_id)
      const call = openCalls.get(tool_call_id)
      if (call) answer(call, toModelText(result), status === 'error')
    },
    hitl_request({ approval_id, tool_call_id }) {
      openApprovals.set(approval_id, tool_call_id)
      const call = tool_call_id === undefined ? undefined : openCalls.get(tool_call_id)
      if (call) call.approval_id = approval_id
    },
    approval_decided({ approval_id }) {
      openApprovals.delete(approval_id)
    },
    summary({ content, through_seq, untrusted: servers = [], message_ids: earlier = [] }) {
      message_ids = new Set([...earlier, ...message_ids].slice(-maxRememberedIds))
      for (const server_id of servers) untrusted.add(server_id)
      const count = seqs.findLastIndex((seq) => seq <= through_seq) + 1
      messages.splice(0, count, { role: 'user', content })
      seqs.splice(0, count, through_seq)
    },
    error({ recoverable }) {
      isRetryable = recoverable
      // When it is tried again, the model begins its reply anew.
      if (recoverable && reply?.calls.length === 0) reply = undefined
    },
    done() {
      answerTheRest()
      openApprovals.clear()
      openRun = undefined
    },
  }

  return {
    messages,
    untrusted,
    called,
    get head() {
      return head
    },
    get openRun() {
      return openRun
    },
    get previousRun() {
      return previousRun
    },
    get openCalls() {
      return [...openCalls.values()]
    },
    get openApprovals() {
      return [...openApprovals.keys()]
    },
    get partialText() {
      return reply?.text
    },
    get isRetryable() {
      return isRetryable
    },
    approvalOf(tool_call_id) {
      for (const [approval_id, call_id] of openApprovals) {
        if (call_id === tool_call_id) return approval_id
      }
      return undefined
    },
    hasMessage: (message_id) => message_ids.has(message_id),
    get messageIds() {
      return [...message_ids]
    },
    seqThrough: (count) => seqs[count - 1] ?? 0,
    apply(event, { seq, run_id }) {
      head = seq
      // A sub-agent's events are shown to people; its caller reads its answer alone.
      if (!isKnownEvent(event) || 'parent_tool_call_id' in event) return
      if (run_id !== undefined && event.event_type !== 'done') begin(run_id)
      const fold = folds[event.event_type] as Fold<typeof event.event_type> | undefined
      fold?.(event as never, seq)
    },
  }
}

type Fold<K> = (event: Extract<ExecutionEvent, { event_type: K }>, seq: number) => void

function toAssistantMessage(
  content: string,
  reasoning: readonly Reasoning[],
  calls: readonly OpenCall[],
): AssistantMessage {
  const tool_calls = calls.map(({ id, name, args }) => ({
    ...{ id, name: toWireName(name), arguments: args },
  }))
  if (reasoning.length === 0) return { role: 'assistant', content, tool_calls }
  return { role: 'assistant', content, tool_calls, reasoning }
}

/** A model may call what no API takes as a name, and then refuses the whole conversation for it. */
function toWireName(name: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}

/** A result as the model reads it: text as it is, all else as JSON. */
export function toModelText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result)
}

/** The tool that was meant, also where the model called it through another. */
function meantTool({ name, args }: OpenCall): string {
  return unwrapToolCall({ name, args })?.name ?? name
}
