import { randomUUID } from 'node:crypto'
import { openSql, type SqlStore } from '@dataagent/store/sql'

/** About what a text event of a chat turn weighs. */
export const json = JSON.stringify({
  event_type: 'text',
  timestamp: 1_800_000_000_000,
  content: 'x'.repeat(200),
  is_final: false,
})

export interface Log {
  store: SqlStore
  session_id: string
  /** For who writes past our store. */
  nextSeq(): number
}

/**
 * Two sessions with `length` events each: one for us, one for the bare driver, in the same table.
 */
export async function makeLogs(url: string, length: number, cleanup: AsyncDisposableStack) {
  const store = cleanup.use(openSql({ url }))
  await store.migrate()
  return { ours: await makeLog(store, length), bare: await makeLog(store, length) }
}

async function makeLog(store: SqlStore, length: number): Promise<Log> {
  const session_id = randomUUID()
  await store.sessions.create({
    session_id,
    tenant_id: 'bench',
    user_id: 'bench',
    assistant_id: 'bench',
    created_at: 0,
    last_active: 0,
    state: { thread_id: session_id, auto_approve: false, status: 'idle' },
    metadata: {},
  })
  for (let done = 0; done < length; done += 1_000) {
    const entries = Array.from({ length: Math.min(1_000, length - done) }, () => ({
      kind: 'text',
      json,
    }))
    await store.events.append(session_id, entries)
  }
  let seq = length
  return {
    store,
    session_id,
    nextSeq() {
      seq += 1
      return seq
    },
  }
}
