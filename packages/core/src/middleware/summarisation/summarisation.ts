import { AppError } from '@dataagent/schema'
import { estimateMessages, type ModelMessage, type ModelPort } from '../../models/index.ts'
import type { AgentMiddleware, Runtime, StateUpdate } from '../contract.ts'
import { askSummary } from './ask-summary.ts'
import { findCut, toTurnStart } from './find-cut.ts'
import { isOver } from './is-over.ts'
import { isNotes, toNotes, userWordsOf } from './notes.ts'
import { cutMiddle } from './to-transcript.ts'

export interface SummarisationOptions {
  /** Writes the summaries; its context window is what a fraction is of. */
  model: ModelPort
  /** Summarises above so many tokens of messages. Default: by `triggerFraction`. */
  triggerTokens?: number | undefined
  /** Of the model's context window. Default 0.75. */
  triggerFraction?: number | undefined
  /** The last so many messages stay as they are, or fewer if those are too large. Default 20. */
  keepMessages?: number | undefined
  /** The longest summary. Default 2,000. */
  summaryTokens?: number | undefined
}

const requestCharacters = 2000

/**
 * Puts a summary in the place of the older messages when they grow too long. A call is never parted
 * from its results, and the user's last request is quoted if it is among what is summarised. When
 * the model gives no summary, the oldest turns are left out with a note, for this run only.
 */
export function createSummarisation(options: SummarisationOptions): AgentMiddleware {
  const { model, triggerFraction = 0.75, keepMessages = 20, summaryTokens = 2000 } = options
  const trigger = options.triggerTokens ?? Math.floor(model.contextWindow * triggerFraction)
  if (!(trigger > 0) || !(keepMessages >= 1)) {
    throw new AppError('config_invalid', 'a summarisation needs a trigger and messages to keep')
  }

  async function summarise(
    messages: readonly ModelMessage[],
    cut: number,
    runtime: Runtime,
  ): Promise<StateUpdate> {
    const older = messages.slice(0, cut)
    const kept = messages.slice(cut)
    const { signal, addUsage: onUsage } = runtime
    const needs = { model, maxTokens: summaryTokens, signal, onUsage }
    const notes = await askSummary(older, needs).catch((error) => {
      if (signal.aborted) throw error
      return undefined
    })
    if (notes === undefined) return leaveOut(messages, cut)
    const content = toNotes(notes, lastRequest(older, kept))
    return { messages: [{ role: 'user', content }, ...kept], summary: { content, count: cut } }
  }

  return {
    name: 'summarisation',
    beforeModel({ messages, overflowed }, runtime) {
      if (!overflowed && !isOver(messages, trigger)) return undefined
      const limit = overflowed ? Math.min(trigger, estimateMessages(messages)) : trigger
      const cut = findCut(messages, { keepMessages, keepTokens: limit / 2 })
      const isDone = cut === 0 || (cut === 1 && isNotes(messages[0]!))
      return isDone ? undefined : summarise(messages, cut, runtime)
    },
  }
}

function leaveOut(messages: readonly ModelMessage[], cut: number): StateUpdate {
  const start = toTurnStart(messages, cut)
  const kept = messages.slice(start)
  const note = `(The first ${start} messages were left out to save room.)`
  const content = toNotes(note, lastRequest(messages.slice(0, start), kept))
  return { messages: [{ role: 'user', content }, ...kept] }
}

/** Where the request that is being worked on was cut off, it is quoted. */
function lastRequest(
  older: readonly ModelMessage[],
  kept: readonly ModelMessage[],
): string | undefined {
  if (kept.some(({ role }) => role === 'user')) return undefined
  const said = older.map(userWordsOf).findLast((words) => words !== undefined)
  return said && cutMiddle(said, requestCharacters)
}
