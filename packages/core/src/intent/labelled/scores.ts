import type { IntentRecogniser } from '../contract.ts'
import type { LabelledSentence, SentenceClass } from './sentences.ts'
import { labelledEntries, labelledServers } from './world.ts'

/** How one class was recognised. */
export interface ClassScore {
  count: number
  precision: number
  recall: number
}

/** A sentence, and how it was read. */
export interface Reading {
  sentence: LabelledSentence
  got: SentenceClass
  /** Whether the right tool or server was found as well. */
  isRight: boolean
}

export function readSentences(
  recogniser: IntentRecogniser,
  sentences: readonly LabelledSentence[],
): Reading[] {
  return sentences.map((sentence) => readSentence(recogniser, sentence))
}

function readSentence(recogniser: IntentRecogniser, sentence: LabelledSentence): Reading {
  const { text, expected, names, hasPendingApproval } = sentence
  const { intent, entries } = recogniser.recognise({
    message: text,
    entries: labelledEntries,
    servers: labelledServers,
    hasPendingApproval,
  })
  const isExplicit = intent.tool_name !== undefined
  const got = intent.type !== 'mcp' ? intent.type : isExplicit ? 'explicit' : 'keyword'
  const server = labelledServers.find(({ name, alias }) => name === names || alias === names)
  const isMeant =
    names === undefined ||
    (server ? intent.server_id === server.server_id : meantTools(intent, entries).includes(names))
  return { sentence, got, isRight: got === expected && isMeant }
}

function meantTools(
  intent: { tool_name?: string },
  entries: readonly { tool: { name: string } }[],
): string[] {
  if (entries.length === 0) return [intent.tool_name ?? '']
  return entries.length === 1 ? [entries[0]!.tool.name] : []
}

/**
 * Precision and recall of a class. A sentence that is read as the right class but for the wrong
 * tool counts as missed, and against the precision.
 */
export function scoreClass(readings: readonly Reading[], of: SentenceClass): ClassScore {
  const expected = readings.filter(({ sentence }) => sentence.expected === of)
  const got = readings.filter((reading) => reading.got === of)
  const right = expected.filter(({ isRight }) => isRight).length
  return {
    count: expected.length,
    precision: got.length === 0 ? 1 : right / got.length,
    recall: expected.length === 0 ? 1 : right / expected.length,
  }
}
