import type { CatalogueEntry } from '@dataagent/hub'
import { isApprovalAnswer } from './approval-answer.ts'
import type { Intent, IntentInput, IntentMatch, IntentRecogniser, MatchedWord } from './contract.ts'
import { type ExplicitName, findExplicit } from './explicit/find-explicit.ts'
import { nameIndexOf } from './explicit/name-index.ts'
import { keywordIndexOf } from './keywords/keyword-index.ts'
import { isMemoryIntent } from './memory-intent.ts'

/**
 * Recognises intents by rules [B2]: a tool or server that the message names, then keywords, then
 * memory, then an answer to a pending approval. Pass the same `entries` and `servers` arrays as
 * long as they hold the same: what is compiled from them is kept with the arrays.
 */
export function createIntentRecogniser(): IntentRecogniser {
  return {
    recognise(input) {
      const text = input.message.normalize('NFKC')
      return explicitMatch(text, input) ?? keywordMatch(input) ?? otherMatch(text, input)
    },
  }
}

function explicitMatch(text: string, { entries, servers }: IntentInput): IntentMatch | undefined {
  const names = findExplicit(text, () => nameIndexOf(entries, servers))
  if (names.length === 0) return undefined
  const tools = names.filter(({ named }) => named?.kind === 'tool')
  const meant = (tools.length > 0 ? tools : names).sort(byStart)
  return { intent: toIntent(meant[0]!), words: toWords(meant), entries: entriesOf(meant) }
}

/** A tool is meant rather than the server that is named along with it. */
function byStart(a: ExplicitName, b: ExplicitName): number {
  return Number(!a.named) - Number(!b.named) || a.start - b.start
}

function toIntent({ name, named }: ExplicitName): Intent {
  const server_id = named?.server_id
  return { type: 'mcp', tool_name: name, ...(server_id !== undefined && { server_id }) }
}

function toWords(names: readonly ExplicitName[]): MatchedWord[] {
  const words = names.map(({ name, named }) => ({
    ...{ by: 'name' as const, word: name, server_id: named?.server_id },
  }))
  const byKey = new Map(words.map((word) => [JSON.stringify([word.word, word.server_id]), word]))
  return [...byKey.values()]
}

function entriesOf(names: readonly ExplicitName[]): CatalogueEntry[] {
  return [...new Set(names.flatMap(({ named }) => named?.entries ?? []))]
}

function keywordMatch({ message, entries, servers }: IntentInput): IntentMatch | undefined {
  const found = keywordIndexOf(servers).find(message)
  if (found[0] === undefined) return undefined
  const ids = new Set(found.map(({ server }) => server.server_id))
  return {
    intent: { type: 'mcp', server_id: found[0].server.server_id },
    words: found.map(({ server, keyword }) => ({
      ...{ by: 'keyword', word: keyword, server_id: server.server_id },
    })),
    entries: entries.filter(({ tool }) => ids.has(tool.server_id)),
  }
}

function otherMatch(text: string, { hasPendingApproval }: IntentInput): IntentMatch {
  if (isMemoryIntent(text)) return { intent: { type: 'memory' }, words: [], entries: [] }
  const isAnswer = hasPendingApproval && isApprovalAnswer(text)
  return { intent: { type: isAnswer ? 'hitl' : 'normal' }, words: [], entries: [] }
}
