import type { Question } from '@dataagent/schema'
import type { Asker, ExpectedTable } from '../contract.ts'
import { toMessage } from './to-message.ts'

const atOnce = 4
const sqlMs = 60_000

/**
 * What each `expected_sql` gives, by question. Read before anything is asked, so that it costs the
 * server nothing while that is measured; empty where there is nothing to run them on.
 */
export async function readExpectedTables(
  { runSql }: Asker,
  questions: readonly Question[],
  signal: AbortSignal,
): Promise<Map<string, ExpectedTable>> {
  const tables = new Map<string, ExpectedTable>()
  if (!runSql) return tables
  const left = questions.filter(({ expected_sql }) => expected_sql !== null)

  async function work(): Promise<void> {
    for (let next = left.pop(); next && !signal.aborted; next = left.pop()) {
      const { question_id, expected_sql } = next
      tables.set(question_id, await read(`${expected_sql}`))
    }
  }

  async function read(sql: string): Promise<ExpectedTable> {
    const within = AbortSignal.any([signal, AbortSignal.timeout(sqlMs)])
    try {
      return { status: 'read', table: await runSql!(sql, { signal: within }) }
    } catch (error) {
      return { status: 'unread', message: toMessage(error) }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return tables
}
