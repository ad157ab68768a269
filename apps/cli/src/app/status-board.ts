import type { ApprovalMode, Status } from '../ui/index.ts'
import type { CurrentSession } from './sessions.ts'

export interface StatusBoardOptions {
  session: Pick<CurrentSession, 'conversation' | 'spent' | 'queued'>
  assistant_id(): string
  mode(): ApprovalMode
}

/** What the line at the bottom tells, gathered from where it is known. */
export interface StatusBoard {
  read(): Status
  /** Of the platform: before it is there, and when it has ended. */
  setLink(link: 'starting' | 'live' | 'lost'): void
  setServers(mcp: Status['mcp']): void
  /** The share of the model's context that is used. */
  setContext(share: number | undefined): void
}

export function createStatusBoard({ session, ...options }: StatusBoardOptions): StatusBoard {
  let link: 'starting' | 'live' | 'lost' = 'starting'
  let mcp: Status['mcp']
  let context: number | undefined

  return {
    read() {
      const { conversation, spent, queued } = session
      const { cost, model } = spent
      const isAway = conversation !== undefined && conversation.link.status === 'waiting'
      return {
        agent: options.assistant_id(),
        model,
        context,
        cost,
        mcp,
        approval: options.mode(),
        link: link === 'live' && isAway ? 'away' : link,
        queued: queued.length,
        isRunning: conversation?.isRunning ?? false,
      }
    },
    setLink(state) {
      link = state
    },
    setServers(state) {
      mcp = state
    },
    setContext(share) {
      context = share
    },
  }
}
