import type { Question } from '@dataagent/schema'
import type { Asker, ResultTable } from '../contract.ts'

const atOnce = 4
const sqlMs = 60_000

/**
 * What each `expected_sql` gives, by question. Read before anything is asked, so that it costs the
 * server nothing while that is measured; a query that fails is left out.
 */
export async function readExpectedTables(
  { runSql }: Asker,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<Map<string, ResultTable>> {
  const tables = new Map<string, ResultTable>()
  if (!runSql) return tables
  const left = questions.filter(({ expected_sql }) => expected_sql !== null)

  async function work(): Promise<void> {
    for (let next = left.pop(); next && !signal.aborted; next = left.pop()) {
      const { question_id, expected_sql } = next
      const within = AbortSignal.any([signal, AbortSignal.timeout(sqlMs)])
      const table = await runSql?.(`${expected_sql}`, { signal: within }).catch(() => undefined)
      if (table) tables.set(question_id, table)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return tables
}
