import { randomUUID } from 'node:crypto'
import { systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { z } from 'zod'
import type { DataToolMeans } from './contract.ts'

/** Questions that one person may save. */
const maxSaved = 500

export function createSaveQuestion(means: DataToolMeans): OwnTool {
  const { queries, store, clock = systemClock } = means
  return defineTool({
    name: 'save_question',
    title: 'Save question',
    description: "Saves a question with the SQL of a query that was run, in the user's own list.",
    category: 'data',
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    input: z.object({
      query: z.string().min(1).max(128).describe('The number of the query, like q1'),
      question: z.string().min(1).max(500).describe("The question, in the user's words"),
    }),
    async run({ query: asked, question }, { principal, session_id, signal }) {
      const { user_id, tenant_id } = principal
      if (user_id === null) throw new AppError('forbidden', 'Questions are saved for a person.')
      const { sql, source_id } = await queries.get({ principal, session_id, signal }, asked)
      await store.questions.put(
        {
          ...{ tenant_id, question_id: randomUUID(), source_id, question, also: [], sql },
          ...{ verified: false, owner_user_id: user_id, updated_at: Math.floor(clock.now()) },
        },
        { max: maxSaved },
      )
      return `Saved: ${question}`
    },
  })
}
