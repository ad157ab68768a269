import type {
  ErrorEvent,
  ExecutionEvent,
  QueryResult,
  SentEvent,
  TextEvent,
  UsageEvent,
} from '@dataagent/schema'

/** What all model calls of a turn took. */
export interface RunUsage {
  model: string
  prompt_tokens: number
  completion_tokens: number
  cached_tokens: number
  /** Absent where the model has no price. */
  cost?: number
}

/** What the events of a turn come to. */
export interface Tally {
  add(event: SentEvent): void
  /** The last reply, whole: what was said before tools were called is not it. */
  answer(): string
  /** Queries of the turn that the answer cites, in their order. */
  cited(): QueryResult[]
  usage(): RunUsage | undefined
  /** The error that the turn ended with. */
  error(): ErrorEvent | undefined
  readonly isDone: boolean
  readonly isCancelled: boolean
  readonly isRejected: boolean
}

export function createTally(): Tally {
  const parts = new Map<number, string>()
  const queries = new Map<string, QueryResult>()
  let citedIds: ReadonlySet<string> | undefined
  let isReplyOver = false
  let usage: RunUsage | undefined
  let error: ErrorEvent | undefined
  let isDone = false
  let isCancelled = false
  let isRejected = false

  function addText({ seq, content, is_final, restarts, ...rest }: SentEvent & TextEvent) {
    if (isReplyOver || restarts) parts.clear()
    isReplyOver = false
    // A delta stands at its place in the event that will be logged as `seq`; without, it is that.
    const offset = 'offset' in rest && typeof rest.offset === 'number' ? rest.offset : 0
    parts.set(seq, (parts.get(seq) ?? '').slice(0, offset) + content)
    if (is_final) isReplyOver = true
  }

  const answer = () => [...parts.values()].join('')

  return {
    add(sent) {
      const event = sent as SentEvent & ExecutionEvent
      if (event.event_type === 'text') addText(event)
      if (event.event_type === 'tool_call') isReplyOver = true
      if (event.event_type === 'text' || event.event_type === 'tool_call') error = undefined
      if (event.event_type === 'result_block' && event.block.kind === 'query')
        queries.set(event.block.query.query_id, event.block.query)
      if (event.event_type === 'citations')
        citedIds = new Set(event.cited.map(({ query_id }) => query_id))
      if (event.event_type === 'usage') usage = addUsage(usage, event)
      if (event.event_type === 'error') error = event
      if (event.event_type === 'approval_decided' && event.decision.type === 'reject')
        isRejected = true
      if (event.event_type === 'done') {
        isDone = true
        isCancelled = event.cancelled
      }
    },
    answer,
    cited() {
      const text = answer()
      // Where nobody has checked what it rests on, it is what it says itself.
      return [...queries.values()].filter(
        ({ query_id, ref }) => citedIds?.has(query_id) ?? text.includes(`[${ref}]`),
      )
    },
    usage: () => usage,
    error: () => error,
    get isDone() {
      return isDone
    },
    get isCancelled() {
      return isCancelled
    },
    get isRejected() {
      return isRejected
    },
  }
}

function addUsage(sum: RunUsage | undefined, event: UsageEvent): RunUsage {
  const cost = event.cost === undefined ? sum?.cost : (sum?.cost ?? 0) + event.cost
  return {
    model: event.model,
    prompt_tokens: (sum?.prompt_tokens ?? 0) + event.prompt_tokens,
    completion_tokens: (sum?.completion_tokens ?? 0) + event.completion_tokens,
    cached_tokens: (sum?.cached_tokens ?? 0) + (event.cached_tokens ?? 0),
    ...(cost !== undefined && { cost }),
  }
}
