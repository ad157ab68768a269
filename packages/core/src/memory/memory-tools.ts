import { defineTool, type OwnTool, type OwnToolContext } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { z } from 'zod'
import type { MemoryOwner, MemoryStore } from './contract.ts'
import { toLine } from './memory-notes.ts'

/** The owner that a principal and an assistant make; undefined for a machine without a user. */
export function ownerOf(
  { tenant_id, user_id }: OwnToolContext['principal'],
  assistant_id: string,
): MemoryOwner | undefined {
  return user_id === null ? undefined : { tenant_id, user_id, assistant_id }
}

/**
 * Tools to remember, recall and forget. What is remembered outlives the run, so after a run has
 * read output that nobody vouches for, to remember and to forget are asked for.
 */
export function createMemoryTools(store: MemoryStore, assistant_id: string): OwnTool[] {
  const requireOwner = ({ principal }: OwnToolContext): MemoryOwner => {
    const owner = ownerOf(principal, assistant_id)
    if (owner) return owner
    throw new AppError('forbidden', 'There is no user here whose memory could be used.')
  }

  const remember = defineTool({
    name: 'remember',
    description:
      'Keeps one fact about the user for later conversations, such as a preference or a name. ' +
      'Use it when the user asks for it or clearly will need it again; never for secrets.',
    category: 'memory',
    input: z.object({ text: z.string().describe('The fact, complete and in one sentence') }),
    annotations: { destructiveHint: false, openWorldHint: true },
    async run({ text }, context) {
      const { session_id, tool_call_id: said_in } = context
      const fact = { text, by: 'assistant' as const, session_id, said_in }
      return `Remembered: ${toLine(await store.remember(requireOwner(context), fact))}`
    },
  })

  const recall = defineTool({
    name: 'recall',
    description: 'Looks up what is remembered about the user. Gives the best fitting facts.',
    category: 'memory',
    input: z.object({ query: z.string().describe('Words that the fact may have') }),
    annotations: { readOnlyHint: true, openWorldHint: false },
    idempotent: true,
    async run({ query }, context) {
      const found = await store.recall(requireOwner(context), query, { limit: 12 })
      return found.length === 0 ? 'Nothing is remembered about that.' : found.map(toLine).join('\n')
    },
  })

  const forget = defineTool({
    name: 'forget',
    description: 'Removes one remembered fact, by the id that stands after it.',
    category: 'memory',
    input: z.object({ fact_id: z.string() }),
    annotations: { openWorldHint: true },
    idempotent: true,
    async run({ fact_id }, context) {
      const isGone = await store.forget(requireOwner(context), fact_id)
      return isGone ? 'Forgotten.' : 'There is no fact with that id; recall shows the ids.'
    },
  })
  return [remember, recall, forget]
}
