import type { ActionRequest } from '@dataagent/schema'

/**
 * What a person at the terminal says to an approval. `once`: this call. `tool`: this tool, for the
 * rest of the session. `all`: everything that would be asked, for the rest of the session.
 */
export interface TerminalDecision {
  kind: 'once' | 'tool' | 'all' | 'reject'
  /** The person's words; empty where there are none. */
  message: string
}

/** What is asked, as the event or the inbox tells it. */
export interface ApprovalRequest extends Pick<ActionRequest, 'name' | 'args' | 'description'> {
  /** Whose tool it is; undefined for one of the platform's own. */
  server?: string | undefined
  /** Why it is asked, in the platform's words. */
  reason?: string | undefined
}

/** Why a question that waits here is none any more. */
export type CloseReason = 'allowed' | 'rejected' | 'answered' | 'expired' | 'withdrawn'

/** That a person knows what auto-approval means: asked once on a machine. */
export interface Acknowledgement {
  isGiven(): boolean
  give(): void
}
