import { isAppError } from '@dataagent/schema'
import type { MessageStore, SessionLog, StoredMessage } from './contract.ts'
import { readPages } from './read-pages.ts'
import { createTurnFold } from './turn-fold.ts'

/** Keeps the history of sessions beside their logs [D26.1]. */
export interface TurnSaver {
  /**
   * Saves every turn that has ended and is not saved yet: the last one, and what a process that
   * died has left. Gives how many messages it has saved. May be called at any time, by any process
   * and by several at once: what is saved already is left alone. Throws as the stores do; the next
   * call goes on where it stopped.
   */
  save(session_id: string): Promise<number>
}

export interface TurnSaverOptions {
  log: Pick<SessionLog, 'read'>
  messages: MessageStore
}

const pageSize = 500
const maxRemembered = 10_000

export function createTurnSaver({ log, messages }: TurnSaverOptions): TurnSaver {
  /** For each session the seq that is saved through. */
  const saved = new Map<string, number>()

  function remember(session_id: string, seq: number): void {
    saved.delete(session_id)
    saved.set(session_id, seq)
    if (saved.size > maxRemembered) saved.delete(saved.keys().next().value!)
  }

  async function readSaved(session_id: string): Promise<number> {
    const count = await messages.count(session_id)
    if (count === 0) return 0
    const [last] = await messages.list(session_id, { limit: 1, offset: count - 1 })
    return last?.seq ?? 0
  }

  return {
    async save(session_id) {
      const fold = createTurnFold(session_id)
      const after = saved.get(session_id) ?? (await readSaved(session_id))
      let count = 0
      for await (const rows of readPages(log, session_id, { after, limit: pageSize })) {
        for (const row of rows) {
          const turn = fold.take(row)
          if (turn === undefined) continue
          if (turn.length > 0 && (await addOnce(messages, turn))) count += turn.length
          remember(session_id, row.seq)
        }
      }
      return count
    },
  }
}

/** False where the turn was saved before. */
async function addOnce(messages: MessageStore, turn: StoredMessage[]): Promise<boolean> {
  try {
    await messages.add(turn)
    return true
  } catch (error) {
    if (isAppError(error, 'conflict')) return false
    throw error
  }
}
