import type { Link } from '../link/index.ts'
import type { CurrentSession, Spent } from './sessions.ts'

export interface ContextWindowOptions {
  session: Pick<CurrentSession, 'info' | 'conversation' | 'spent'>
  link(): Promise<Link>
  /** Undefined where nothing was said in the session yet. */
  onRead(share: number | undefined): void
}

/**
 * Reads how full the model's context is: after each turn, and after what was summarised. Where it
 * cannot be read, what is known stays.
 */
export function createContextWindow({ session, link, onRead }: ContextWindowOptions) {
  /** Another one after each use of the model. */
  let seen: Spent | undefined

  async function read(session_id: string, spent: Spent): Promise<void> {
    const { client } = await link()
    const { system, tools, history, window } = await client.sessions.context(session_id)
    if (seen === spent && window > 0) onRead((system + tools + history) / window)
  }

  return {
    look(): void {
      const { info, conversation, spent } = session
      if (spent === seen) return
      if (!info || spent.model === undefined) {
        seen = spent
        onRead(undefined)
        return
      }
      if (!conversation?.isCaughtUp || conversation.isRunning) return
      seen = spent
      read(info.session_id, spent).catch(() => {})
    },
  }
}
