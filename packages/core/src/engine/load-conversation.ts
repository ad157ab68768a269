import { parseEventText } from '@dataagent/schema'
import type { LoggedEntry, SessionLog } from '../session/index.ts'
import { type Conversation, createConversation } from './conversation.ts'

/** Enough for most sessions in one read. */
const firstRead = 500
const pageSize = 2_000

/**
 * A session's conversation from its log: from the last summary on, if there is one. Throws what the
 * log throws, and `invalid_request` for a row that cannot be read.
 */
export async function loadConversation(log: SessionLog, session_id: string): Promise<Conversation> {
  const conversation = createConversation()
  for (const row of await readFromSummary(log, session_id)) applyRow(conversation, row)
  return conversation
}

/** Takes over what another process has appended since. */
export async function catchUp(
  log: SessionLog,
  session_id: string,
  conversation: Conversation,
): Promise<void> {
  for (;;) {
    const rows = await log.read(session_id, { after: conversation.head, limit: pageSize })
    for (const row of rows) applyRow(conversation, row)
    if (rows.length < pageSize) return
  }
}

async function readFromSummary(log: SessionLog, session_id: string): Promise<LoggedEntry[]> {
  for (let limit = firstRead; ; limit *= 4) {
    const rows = await log.tail(session_id, limit)
    const at = rows.findLastIndex(({ kind }) => kind === 'summary')
    if (rows.length < limit) return rows
    if (at === -1) continue
    const first = throughOf(rows[at]!) + 1
    if (rows[0]!.seq <= first) return rows.slice(first - rows[0]!.seq)
  }
}

function throughOf({ json }: LoggedEntry): number {
  const event = parseEventText(json)
  return 'through_seq' in event ? Number(event.through_seq) : 0
}

function applyRow(conversation: Conversation, { seq, json }: LoggedEntry): void {
  const event = parseEventText(json)
  const { run_id } = event as { run_id?: string }
  conversation.apply(event, { seq, run_id })
}
