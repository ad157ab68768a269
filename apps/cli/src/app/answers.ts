import type { SessionInfo } from '@dataagent/schema'
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
  /**
   * `next` is shown from now on, no longer `left`; undefined is one without a message. A person is
   * asked, also where it approves by itself: that was not meant for what may do harm. Only what was
   * chosen for it in this program goes on, as long as it is set. Both are said.
   */
  begin(next: SessionInfo | undefined, left: SessionInfo | undefined): void
  /** The other one where none is named. Rejects where the platform does not take it. */
  switchTo(mode: ApprovalMode | undefined): Promise<void>
  /** What waits is asked, or answered. */
  settle(conversation: Conversation): void
  /**
   * A person has answered, and with it those `others` that were asked too: these are sent once the
   * platform has taken the answer. What it does not take is asked again. Never rejects.
   */
  decide(approval_id: string, decision: TerminalDecision, others?: readonly string[]): Promise<void>
}

export function createAnswers(options: AnswersOptions): Answers {
  const { session, notices, approvals, acknowledgement, askAuto: ask } = options
  /** On their way to the platform, or there: each is sent once. */
  const sent = new Set<string>()
  /** What the platform has not taken: a person is asked, also where all is approved. */
  const refused = new Set<string>()
  /** The sessions in which a person chose here that everything is approved. */
  const chosen = new Set<string>()
  let mode: ApprovalMode = 'ask'
  /** What is to be said once the session is there, below what was said in it. */
  let found: 'autoOn' | 'autoHeldBack' | undefined

  function keep(session_id: string, isAuto: boolean): void {
    if (isAuto) chosen.add(session_id)
    else chosen.delete(session_id)
  }

  async function apply(next: ApprovalMode): Promise<void> {
    const { info } = session
    const isAuto = next === 'auto'
    if (info) {
      const { client } = await options.link()
      const updated = await client.sessions.update(info.session_id, { auto_approve: isAuto })
      keep(info.session_id, isAuto)
      // Another one is shown by now: what holds for that is not touched.
      if (session.info?.session_id !== info.session_id) return
      session.setInfo(updated)
    }
    mode = next
    notices.tell(isAuto ? 'warn' : 'info', words[isAuto ? 'autoOn' : 'autoOff'][options.lang()])
    options.onChange()
  }

  /** Whether the platform has taken it; why not is told. */
  async function send(approval_id: string, decision: TerminalDecision): Promise<boolean> {
    sent.add(approval_id)
    refused.delete(approval_id)
    try {
      if (decision.kind === 'all') await apply('auto')
      await session.conversation?.decide(approval_id, toDecision(decision))
      return true
    } catch (error) {
      notices.tell('bad', `${words.notDecided[options.lang()]}: ${messageOf(error)}`)
      sent.delete(approval_id)
      refused.add(approval_id)
      options.onChange()
      return false
    }
  }

  /** Nobody has typed it: it holds only where the session approves by itself at this moment. */
  async function approve(conversation: Conversation, ids: readonly string[]): Promise<void> {
    for (const id of ids) sent.add(id)
    const isStill = await readAuto()
    const waiting = new Set(conversation.pending.map(({ approval_id }) => approval_id))
    const isShown = session.conversation === conversation
    for (const id of ids) {
      const isMeant = isStill && isShown && mode === 'auto' && waiting.has(id)
      if (isMeant) void send(id, { kind: 'once', message: words.autoMessage.en })
      else sent.delete(id)
      // What could not be read is for a person to say.
      if (isStill === undefined) refused.add(id)
    }
    if (isStill === false && isShown && mode === 'auto') {
      mode = 'ask'
      notices.tell('warn', words.autoEnded[options.lang()])
    }
    options.onChange()
  }

  /** Undefined where it cannot be read, which is told. */
  async function readAuto(): Promise<boolean | undefined> {
    const { info } = session
    try {
      const { client } = await options.link()
      if (info === undefined) return undefined
      const now = await client.sessions.get(info.session_id)
      session.setInfo(now)
      return now.auto_approve ?? false
    } catch (error) {
      notices.tellFailure(error)
      return undefined
    }
  }

  return {
    get mode() {
      return mode
    },
    begin(next, left) {
      if (left) keep(left.session_id, mode === 'auto')
      const isSet = next?.auto_approve === true
      mode = isSet && chosen.has(next.session_id) ? 'auto' : 'ask'
      found = isSet ? (mode === 'auto' ? 'autoOn' : 'autoHeldBack') : undefined
    },
    async switchTo(to) {
      const next = await switchMode({ to, from: mode, acknowledgement, ask })
      // The session may approve by itself although it is asked here.
      const isOther = session.info?.auto_approve === true && to === 'ask'
      if (next !== mode || isOther) await apply(next)
    },
    settle(conversation) {
      const { pending, howDecided } = conversation
      if (found) notices.tell('warn', words[found][options.lang()])
      found = undefined
      if (mode === 'ask') {
        // What was answered here still waits until the platform says so.
        const open = pending.filter(({ approval_id }) => !sent.has(approval_id))
        approvals().sync(open, howDecided)
        return
      }
      approvals().closeEnded(pending, howDecided)
      approvals().show(pending.filter(({ approval_id }) => refused.has(approval_id)))
      const ids = pending.map(({ approval_id }) => approval_id)
      const open = ids.filter((id) => !sent.has(id) && !refused.has(id))
      if (open.length > 0) void approve(conversation, open)
    },
    async decide(approval_id, decision, others = []) {
      const waiting = session.conversation?.pending.map((event) => event.approval_id) ?? []
      const meant = new Set(decision.kind === 'all' ? [...others, ...waiting] : others)
      const held = [...meant].filter((id) => id !== approval_id && !sent.has(id))
      for (const id of [approval_id, ...held]) approvals().answered(id)
      for (const id of held) sent.add(id)
      if (await send(approval_id, decision)) {
        for (const id of held) void send(id, { kind: 'once', message: '' })
      } else {
        for (const id of held) sent.delete(id)
        options.onChange()
      }
    },
  }
}
