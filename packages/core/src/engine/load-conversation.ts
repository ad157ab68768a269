import { parseEventText } from '@dataagent/schema'
import { type LoggedEntry, readPages, type SessionLog } from '../session/index.ts'
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
  for await (const rows of readFromSummary(log, session_id))
    for (const row of rows) applyRow(conversation, row)
  return conversation
}

/** Takes over what another process has appended since. */
export async function catchUp(
  log: SessionLog,
  session_id: string,
  conversation: Conversation,
): Promise<void> {
  const after = conversation.head
  for await (const rows of readPages(log, session_id, { after, limit: pageSize }))
    for (const row of rows) applyRow(conversation, row)
}

async function* readFromSummary(
  log: SessionLog,
  session_id: string,
): AsyncGenerator<LoggedEntry[]> {
  for (let limit = firstRead; ; limit *= 4) {
    const rows = await log.tail(session_id, limit)
    const oldest = rows[0]?.seq ?? 1
    if (oldest === 1 && rows.length < limit) return yield rows
    const summary = rows.findLast(({ kind }) => kind === 'summary')
    const after = summary ? throughOf(summary) : 0
    if (oldest <= after + 1) return yield rows.slice(after + 1 - oldest)
    const isTooLarge = rows.length < limit
    if (summary || isTooLarge) return yield* readPages(log, session_id, { after, limit: pageSize })
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
