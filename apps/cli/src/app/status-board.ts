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
  /** Tokens that the model's context holds at most. */
  setWindow(tokens: number | undefined): void
}

export function createStatusBoard({ session, ...options }: StatusBoardOptions): StatusBoard {
  let link: 'starting' | 'live' | 'lost' = 'starting'
  let mcp: Status['mcp']
  let window: number | undefined

  return {
    read() {
      const { conversation, spent, queued } = session
      const { context, cost, model } = spent
      const isAway = conversation !== undefined && conversation.link.status === 'waiting'
      return {
        agent: options.assistant_id(),
        model,
        context: context !== undefined && window ? context / window : undefined,
        cost: cost === undefined ? undefined : { amount: cost, currency: '' },
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
    setWindow(tokens) {
      window = tokens
    },
  }
}
