import type { Asker, ExpectedTable, KeptRows, Outcome, ShownTable } from '../contract.ts'
import { toMessage } from './to-message.ts'

const readMs = 60_000
/** No text that was cut is shorter. */
const shortestCut = 40

/**
 * The outcome with its tables as they are compared: whole where only the beginning was shown and
 * the rows may be those that are expected. What cannot be read has `unread`.
 */
export async function withWholeTables(
  { readRows }: Asker,
  outcome: Outcome,
  { expected, signal }: { expected: ExpectedTable | undefined; signal: AbortSignal },
): Promise<Outcome> {
  if (!readRows || expected?.status !== 'read') return outcome
  const wanted = expected.table.rows.length

  async function toWhole(table: ShownTable): Promise<ShownTable> {
    const { kept } = table
    if (kept?.kept_rows !== wanted || !isCutShort(table, kept)) return table
    const within = AbortSignal.any([signal, AbortSignal.timeout(readMs)])
    try {
      return { ...table, rows: await readRows!(kept, { signal: within }) }
    } catch (error) {
      return { ...table, unread: toMessage(error) }
    }
  }

  const tables: ShownTable[] = []
  for (const table of outcome.tables) tables.push(await toWhole(table))
  return { ...outcome, tables }
}

function isCutShort({ rows }: ShownTable, { kept_rows }: KeptRows): boolean {
  return rows.length < kept_rows || rows.some((row) => row.some(isCutText))
}

function isCutText(value: unknown): boolean {
  return typeof value === 'string' && value.length > shortestCut && value.endsWith('…')
}
