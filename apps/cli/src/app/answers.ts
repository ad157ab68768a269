import { type Acknowledgement, switchMode, type TerminalDecision } from '../hitl/index.ts'
import type { Link } from '../link/index.ts'
import type { ApprovalMode } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import { type Approvals, toDecision } from './approvals.ts'
import type { Conversation } from './conversation.ts'
import { messageOf } from './message-of.ts'
import type { Notices } from './notices.ts'
import type { CurrentSession } from './sessions.ts'
import { words } from './words.ts'

export interface AnswersOptions {
  session: Pick<CurrentSession, 'info' | 'conversation' | 'setInfo'>
  link(): Promise<Link>
  lang(): Lang
  notices: Notices
  acknowledgement: Acknowledgement
  /** Says what approving everything means, and asks whether it is wanted. */
  askAuto(): Promise<boolean>
  /** The questions that are shown. */
  approvals(): Approvals
  onChange(): void
}

/** Who answers approvals: the person, or the terminal for a person who said so. */
export interface Answers {
  readonly mode: ApprovalMode
  /** Of the session that is shown from now on. */
  begin(mode: ApprovalMode): void
  /** The other one where none is named. Rejects where the platform does not take it. */
  switchTo(mode: ApprovalMode | undefined): Promise<void>
  /** What waits is asked, or answered. */
  settle(conversation: Conversation): void
  /** A person has answered. Never rejects. */
  decide(approval_id: string, decision: TerminalDecision): Promise<void>
}

export function createAnswers(options: AnswersOptions): Answers {
  const { session, notices, approvals, acknowledgement, askAuto: ask } = options
  /** On their way to the platform, or there: each is sent once. */
  const sent = new Set<string>()
  let mode: ApprovalMode = 'ask'

  async function apply(next: ApprovalMode): Promise<void> {
    const { info } = session
    const isAuto = next === 'auto'
    if (info) {
      const { client } = await options.link()
      session.setInfo(await client.sessions.update(info.session_id, { auto_approve: isAuto }))
    }
    mode = next
    notices.tell(isAuto ? 'warn' : 'info', words[isAuto ? 'autoOn' : 'autoOff'][options.lang()])
    options.onChange()
  }

  async function send(approval_id: string, decision: TerminalDecision): Promise<void> {
    sent.add(approval_id)
    try {
      if (decision.kind === 'all') await apply('auto')
      await session.conversation?.decide(approval_id, toDecision(decision))
    } catch (error) {
      if (mode === 'ask') sent.delete(approval_id)
      notices.tell('bad', `${words.notDecided[options.lang()]}: ${messageOf(error)}`)
    }
  }

  return {
    get mode() {
      return mode
    },
    begin(next) {
      mode = next
    },
    async switchTo(to) {
      const next = await switchMode({ to, from: mode, acknowledgement, ask })
      if (next !== mode) await apply(next)
    },
    settle({ pending, howDecided }) {
      if (mode === 'ask') {
        // What was answered here still waits until the platform says so.
        const open = pending.filter(({ approval_id }) => !sent.has(approval_id))
        approvals().sync(open, howDecided)
        return
      }
      // The platform itself leaves calls that may do harm to someone.
      approvals().closeEnded(pending, howDecided)
      for (const { approval_id } of pending) {
        if (sent.has(approval_id)) continue
        void send(approval_id, { kind: 'once', message: words.autoMessage.en })
      }
    },
    decide(approval_id, decision) {
      approvals().answered(approval_id)
      return send(approval_id, decision)
    },
  }
}
