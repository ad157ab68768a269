import type { Link } from '../link/index.ts'
import type { CurrentSession } from './sessions.ts'

export interface ContextWindowOptions {
  session: Pick<CurrentSession, 'info' | 'conversation' | 'spent'>
  link(): Promise<Link>
  onRead(tokens: number): void
}

/**
 * Reads how much the model's context holds: once for each session and model, when something was
 * said in it. Where it cannot be read, the share is not shown.
 */
export function createContextWindow({ session, link, onRead }: ContextWindowOptions) {
  let known: string | undefined

  async function read(session_id: string, about: string): Promise<void> {
    const { client } = await link()
    const { window } = await client.sessions.context(session_id)
    if (known === about) onRead(window)
  }

  return {
    look(): void {
      const { info, conversation, spent } = session
      if (!info || !conversation?.isCaughtUp || spent.model === undefined) return
      const about = `${info.session_id} ${spent.model}`
      if (known === about) return
      known = about
      read(info.session_id, about).catch(() => {})
    },
  }
}
