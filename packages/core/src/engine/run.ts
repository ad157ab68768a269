import type { Clock, Masker } from '@dataagent/guard'
import type { Hub, Principal, Span, Toolset, Tracer } from '@dataagent/hub'
import type { Asking } from '../hitl/index.ts'
import type { ComposedMiddleware, Runtime } from '../middleware/index.ts'
import type { ModelUsage } from '../models/index.ts'
import type { ShownRoom } from './beside-text.ts'
import type { Agent, ExecuteContext } from './contract.ts'
import type { Conversation } from './conversation.ts'
import type { RunLog } from './run-log.ts'
import type { EngineRunState } from './run-state.ts'
import type { ToolView } from './tool-view.ts'

/** Where a run can be killed on purpose, to show that nothing is lost or done twice. */
export const runPoints = [
  'message_logged',
  'model_replied',
  'approval_asked',
  'call_admitted',
  'tool_started',
  'tool_ended',
  'result_logged',
  'run_ended',
] as const
export type RunPoint = (typeof runPoints)[number]

/** What the engine needs beside the agent. */
export interface EngineMeans {
  hub: Pick<Hub, 'callTool' | 'listTools' | 'approvals' | 'servers' | 'results'>
  clock: Clock
  tracer: Pick<Tracer, 'start'>
  /** Called at each point; what it rejects with ends the run. */
  probe?: ((point: RunPoint) => Promise<void>) | undefined
  /** Masks what spans hold of prompts and answers [C6.2]. Without one they hold nothing of them. */
  traceContent?: Masker | undefined
  /** Told of each call of a model when it has ended. Must not throw. */
  onModelCall?: ((call: ModelCallEnd) => void) | undefined
  /** Told of what is no expected failure. Must not throw. */
  onError?: ((error: unknown, run: { session_id: string; run_id: string }) => void) | undefined
}

/** One call of a model that has ended. */
export interface ModelCallEnd {
  /** As it was asked: `provider:model`. */
  model: string
  /** `ok`, or the code of what went wrong. */
  status: string
  seconds: number
  /** Until the first of the answer had come. */
  firstSeconds: number | undefined
  usage: ModelUsage | undefined
}

/** An agent with what is made of it once. */
export interface PreparedAgent extends Agent {
  readonly composed: ComposedMiddleware
  readonly toolset: Toolset
  readonly hasAfterModel: boolean
}

/** What a run is for: to answer a message, or to shorten what was said. */
export type RunKind = 'turn' | 'compaction'

/** One run under way. */
export interface Run {
  readonly means: EngineMeans
  readonly agent: PreparedAgent
  readonly principal: Principal
  readonly session_id: string
  readonly run_id: string
  readonly signal: AbortSignal
  /** Aborts when the run is another's: nothing more may be logged, withdrawn or decided. */
  readonly lost: AbortSignal
  readonly log: RunLog
  readonly conversation: Conversation
  readonly state: EngineRunState
  readonly asking: Asking
  readonly view: ToolView
  readonly span: Span
  readonly runtime: Runtime
  readonly usage: UsageSum
  /** Its sub-agents share it. */
  readonly shownRoom: ShownRoom
  readonly waitForPlace: ExecuteContext['waitForPlace']
}

/** What the model calls of a run came to. */
export interface UsageSum {
  /** The model that answered last. */
  model: string
  prompt_tokens: number
  completion_tokens: number
  cached_tokens: number
  always_prompt_tokens: number
}
