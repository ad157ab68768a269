import type { OwnTool, OwnToolContext } from '@dataagent/hub'
import type { ModelReply, RequestedCall, Runtime, ToolReply } from '../middleware/index.ts'
import type { ModelMessage, ModelTool } from '../models/index.ts'
import type { AskedModel } from './ask-in-span.ts'
import type { ReplySink } from './stream-reply.ts'

/**
 * Works on turns in place of the engine's own loop: another framework's agent, on the same log,
 * leases, approvals, policy and audit. Called once for each turn, for several sessions at a time.
 * What it rejects with is the run's `error` event. When the signal aborts it must end soon, by
 * whatever; half a second later it is left to itself.
 */
export interface TurnDriver {
  drive(turn: DrivenTurn): Promise<DriveEnd>
}

export type DriveEnd = 'answered' | 'too_many_turns'

/** One turn as its driver sees it. */
export interface DrivenTurn {
  readonly session_id: string
  readonly run_id: string
  /** The run before this one; undefined in a new session. */
  readonly previous_run: string | undefined
  /** Whether another process had begun it. */
  readonly isLeft: boolean
  readonly signal: AbortSignal
  readonly runtime: Runtime
  /** The agent's, with what its middlewares append and the lines that tell of tools. */
  readonly systemPrompt: string
  /** The conversation as the log has it: the newest message of the user is in it. */
  readonly messages: readonly ModelMessage[]
  /** What the model is told of. Each is run by `runCall` without a tool. */
  readonly tools: readonly ModelTool[]
  readonly maxTurns: number
  /** Set once a person's no ends the run: the model is not to be asked again. */
  readonly isRejected: boolean
  /** Calls that have been noted and have no result, by id. */
  readonly openCalls: ReadonlySet<string>
  /**
   * Asks a model, as a span of the run, when there is a place for it. What was told of an earlier
   * reply that nothing has ended is void. Throws as `ask` does.
   */
  askModel(
    asked: AskedModel & { tools: readonly ModelTool[] },
    ask: (sink: ReplySink) => Promise<ModelReply>,
  ): Promise<ModelReply>
  /**
   * The reply is whole, and `content` is what it says: where readers were told another text, that
   * is void. Its thoughts and calls are logged.
   */
  endReply(reply: Pick<ModelReply, 'content' | 'reasoning' | 'calls'>): Promise<void>
  /** Lets the assistant say something that no model has said, in place of half a reply. */
  say(content: string): void
  /**
   * Runs a call through the hub: policy, approval, audit. `tool` is one that the turn does not know
   * of. A call of a run that was left is not run twice: where it had ended its result is given
   * again, and where it may have run it is told as such. One that is run again within the turn is
   * logged as another call, with an id of its own. Never throws for what a tool does.
   */
  runCall(call: RequestedCall, tool?: OwnTool): Promise<ToolReply>
  /** A call was answered by something that is no tool. */
  answerCall(tool_call_id: string, answer: { content: string; isError: boolean }): Promise<void>
  /** Ends what was left open: a call that may have run is told as such, another as not begun. */
  giveUpCalls(): Promise<void>
  /** A turn within a call of this one: its events say so, and its caller reads its last words. */
  openSub(context: OwnToolContext, prompt: string): SubTurn
}

export interface SubTurn extends DrivenTurn {
  /** Ends its span. */
  end(error?: unknown): void
}
