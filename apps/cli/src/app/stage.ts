import type { Acknowledgement, TerminalDecision } from '../hitl/index.ts'
import type { Screen, Status, Theme, Transcript } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { Questions } from './approvals.ts'
import type { App } from './contract.ts'

/** Where the program shows itself and is spoken to: a screen, or lines where there is none. */
export interface Stage
  extends Disposable,
    Pick<App, 'choose' | 'askText' | 'confirm' | 'openEditor'> {
  screen: Screen
  /** Something has changed: draws what is shown of it. */
  update(): void
  questions: Questions
  /** Says what approving everything means, and asks whether it is wanted. */
  askAuto(): Promise<boolean>
  /** What could not be sent is there again to be sent. */
  giveBack(text: string): void
  /** Everything typed from now on is of this theme and language. */
  restyle(): void
}

/** What the stage asks of the program. */
export interface Backstage {
  theme(): Theme
  lang(): Lang
  status(): Status
  transcript(): Transcript
  queued(): readonly string[]
  /** Out of the queue: it is being changed. */
  takeBack(index: number): void
  acknowledgement: Acknowledgement
  /** `others`: of the questions that wait too, those that the same answer is meant for. */
  decide(approval_id: string, decision: TerminalDecision, others: readonly string[]): void
  submit(text: string): void
  /** Something that was typed is not done yet: a message, its turn, a command. */
  isBusy(): boolean
  /** Stops a command that waits, else the turn under way; false where there is neither. */
  stop(): boolean
  /** Since when a command waits for others; undefined where none does. */
  commandSince(): number | undefined
  toggleApproval(): void
  quit(): void
}

export type CreateStage = (backstage: Backstage) => Stage
