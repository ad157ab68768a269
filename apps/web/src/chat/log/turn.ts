import type {
  ActionRequest,
  ChartSpec,
  Citations,
  Decision,
  ErrorEvent,
  FileOperationEvent,
  JsonObject,
  QueryResult,
  ResultBlock,
  ToolCallStatus,
  ToolsMatchedEvent,
} from '@dataagent/schema'

/**
 * What a tool shows beside its words. A chart is with its query where that was run in the same
 * turn.
 */
export type ShownBlock =
  | { kind: 'query'; query: QueryResult; charts: readonly ChartSpec[] }
  | Extract<ResultBlock, { kind: 'chart' | 'export' }>

/** Where a call of a tool stands. */
export type ToolState = 'asked' | 'waiting' | 'running' | 'ok' | 'error' | 'cancelled'

/** What a person was asked about a call, and what came of it. */
export interface AskedApproval {
  approval_id: string
  action_request: ActionRequest
  /** Why it is asked, in the server's words. */
  reason: string | undefined
  asked_at: number
  expires_at: number | undefined
  answer:
    | { decision: Decision; via: 'person' | 'expiry' | 'withdrawal'; by: string | null; at: number }
    | undefined
}

export interface TextPart {
  kind: 'text'
  key: string
  content: string
  isFinal: boolean
  /** The row of the log that it ends with, and where in the content that row begins. */
  row: { seq: number; from: number }
  /** What its numbers rest on, once that was checked. */
  citations: Citations | undefined
}

export interface ThoughtPart {
  kind: 'thought'
  key: string
  content: string
}

export interface ToolPart {
  kind: 'tool'
  key: string
  tool_call_id: string
  name: string
  server_id: string | undefined
  args: JsonObject
  state: ToolState
  asked_at: number
  started_at: number | undefined
  outcome: ToolCallStatus | undefined
  result: unknown
  duration_ms: number | undefined
  /** The call's id in the audit. */
  call_id: string | undefined
  /** Servers that nobody vouches for, whose output it brought. */
  untrusted: readonly string[]
  approval: AskedApproval | undefined
  files: readonly FileOperationEvent[]
  blocks: readonly ShownBlock[]
  /** Of a `task`: what the helper did. */
  parts: readonly Part[]
}

export interface ErrorPart {
  kind: 'error'
  key: string
  error: ErrorEvent
}

export interface SummaryPart {
  kind: 'summary'
  key: string
  content: string
}

/** What is shown by no call. */
export interface BlockPart {
  kind: 'block'
  key: string
  block: ShownBlock
}

/** What a turn shows, one below the other. */
export type Part = TextPart | ThoughtPart | ToolPart | ErrorPart | SummaryPart | BlockPart

export type TurnStatus = 'running' | 'waiting' | 'done' | 'stopped' | 'failed'

export interface TurnUsage {
  model: string
  prompt_tokens: number
  completion_tokens: number
  /** What a prompt with all tools would have been. */
  always_prompt_tokens: number
  cost: number | undefined
}

/** Why tools of servers take part. */
export type TurnMatch = Pick<ToolsMatchedEvent, 'matches' | 'tool_mode' | 'matched' | 'offered'>

/** A message of the user and all that followed from it. */
export interface Turn {
  key: string
  seq: number
  message: { content: string; at: number; message_id: string } | undefined
  match: TurnMatch | undefined
  parts: readonly Part[]
  status: TurnStatus
  started_at: number
  ended_at: number | undefined
  usage: TurnUsage | undefined
  run_id: string | undefined
  /** The number of its last event. */
  last_seq: number
}
