import { AppError } from '@dataagent/schema'
import { estimateMessages } from '../models/index.ts'
import type { Conversation } from './conversation.ts'
import type { CompactEnd } from './converse.ts'
import type { Run } from './run.ts'
import { toSummaryEvent } from './summary-event.ts'

/** Notes of less than this would not be shorter. */
const minTokens = 500

/** Whether there is enough in it for a summary to save anything. */
export function isWorthCompacting({ messages }: Conversation): boolean {
  return messages.length > 1 && estimateMessages(messages) >= minTokens
}

/**
 * Has the agent's hooks shorten the conversation as if the model had refused it as too long. Throws
 * `upstream_failed` where they would leave messages out without a summary of them.
 */
export async function compact(run: Run): Promise<CompactEnd> {
  const { agent, conversation, runtime, signal, waitForPlace } = run
  await waitForPlace?.(signal)
  const { messages } = conversation
  const state = { ...agent.composed.initialState(), messages, overflowed: true }
  const { summary, state: after } = await agent.composed.beforeModel(state, runtime)
  if (summary === undefined && after.messages !== messages) throw notSummarised()
  const event = summary && toSummaryEvent(run, summary)
  const isShorter = event !== undefined && event.tokens_after < event.tokens_before
  return { status: 'compacted', event: isShorter ? event : undefined }
}

function notSummarised(): AppError {
  const told = 'The model gave no summary: the conversation is as it was.'
  return new AppError('upstream_failed', told)
}
