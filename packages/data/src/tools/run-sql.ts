import { systemClock } from '@dataagent/guard'
import { defineTool, type OwnTool } from '@dataagent/hub'
import type { DataQuestion, DataSource } from '@dataagent/schema'
import { z } from 'zod'
import { toBlockEvent } from './block-event.ts'
import type { DataToolMeans } from './contract.ts'
import { readsRows, sourceField, toToolMs } from './reads.ts'
import { createSameSql } from './same-sql.ts'
import { toResultText } from './words.ts'

export function createRunSql(means: DataToolMeans): OwnTool {
  const { queries, sources, store, clock = systemClock } = means
  return defineTool({
    name: 'run_sql',
    title: 'Query',
    description:
      'Runs one SELECT on a source and gives its rows under a number (q1, q2 …). Numbers in an ' +
      'answer must come from such a query and cite it as [q1]. Aggregate in SQL: only the first ' +
      'rows are shown. The SQL is of the kind of the source (files: DuckDB).',
    ...readsRows,
    input: z.object({
      source: z.string().min(1).max(200).describe(sourceField),
      sql: z.string().min(1).max(20_000).describe('One SELECT statement'),
      purpose: z.string().max(300).optional().describe('What it is for, in a few words'),
      limit: z.int().min(1).max(500).default(50).describe('Rows to show; the others are counted'),
    }),
    timeoutMs: toToolMs(queries.timeoutMs),
    async run(
      { source, sql, purpose, limit },
      { principal, session_id, signal, emit, tool_call_id },
    ) {
      const { source: found } = await sources.open(principal, source)
      const { tenant_id, user_id } = principal
      const questions = await store.questions.list(tenant_id, user_id)
      const verified = findVerified(questions, found, sql)
      const query = await queries.run(
        { principal, session_id, signal },
        { source: found.source_id, sql, purpose, limit, verified_question_id: verified },
      )
      emit?.(toBlockEvent(clock, tool_call_id, { kind: 'query', query }))
      return {
        content: [{ type: 'text' as const, text: toResultText(query) }],
        structuredContent: { ...query },
      }
    },
  })
}

/** The verified question that has this very SQL. */
function findVerified(
  questions: readonly DataQuestion[],
  { source_id, kind }: DataSource,
  sql: string,
): string | undefined {
  const isSame = createSameSql(kind, sql)
  return questions.find((one) => one.verified && one.source_id === source_id && isSame(one.sql))
    ?.question_id
}
