import type { Component } from '@earendil-works/pi-tui'
import {
  type ApprovalPrompt,
  type ApprovalPromptOptions,
  createApprovalPrompt,
} from './approval-prompt.ts'
import type { ApprovalRequest, CloseReason, TerminalDecision } from './contract.ts'

export interface PendingApproval {
  approval_id: string
  request: ApprovalRequest
  expires_at: number | undefined
}

/** The questions of a session, one after the other, as one component. */
export interface ApprovalQueue extends Component, Disposable {
  focused: boolean
  /** None: it shows nothing, and the editor may be back. */
  readonly size: number
  handleInput(data: string): void
  /** One that is there already is left as it is. */
  add(approval: PendingApproval): void
  /** It was answered elsewhere, has expired or was withdrawn. */
  close(approval_id: string, how: CloseReason): void
}

type Passed = 'theme' | 'lang' | 'clock' | 'screen' | 'acknowledgement'

/** `theme` and `lang` are read when a question appears. */
export interface ApprovalQueueOptions extends Pick<ApprovalPromptOptions, Passed> {
  /**
   * Called once for each answer that is given here. `others` are the questions behind it that the
   * answer is meant for too: they are gone with it, and come back where they are added again.
   */
  onDecide(approval_id: string, decision: TerminalDecision, others: readonly string[]): void
  /** Called once for each that is closed, with a line for people. */
  onClosed(approval_id: string, line: string): void
  /** After each change of `size`. */
  onChange?(): void
}

/**
 * What is answered for the tool or for all is answered for the questions that wait with it too.
 */
export function createApprovalQueue(options: ApprovalQueueOptions): ApprovalQueue {
  const waiting: PendingApproval[] = []
  let answered = 0
  let shown: ApprovalPrompt | undefined
  let isFocused = false

  return {
    get focused() {
      return isFocused
    },
    set focused(focused) {
      isFocused = focused
      if (shown !== undefined) shown.focused = focused
    },
    get size() {
      return waiting.length
    },
    handleInput: (data) => shown?.handleInput(data),
    invalidate() {},
    render: (width) => shown?.render(width) ?? [],
    add(approval) {
      if (waiting.some(({ approval_id }) => approval_id === approval.approval_id)) return
      waiting.push(approval)
      if (shown === undefined) showFirst()
      options.onChange?.()
      options.screen.requestRender()
    },
    close(approval_id, how) {
      const at = waiting.findIndex((approval) => approval.approval_id === approval_id)
      if (at === -1) return
      if (at === 0) return shown?.close(how)
      const [approval] = waiting.splice(at, 1)
      // Its prompt was never shown; the words are those that it would have said.
      if (approval !== undefined) createPrompt(approval).close(how)
      options.onChange?.()
    },
    [Symbol.dispose]() {
      waiting.length = 0
      shown?.[Symbol.dispose]()
      shown = undefined
    },
  }

  function showFirst(): void {
    const [first] = waiting
    shown = first === undefined ? undefined : createPrompt(first)
    if (shown === undefined) answered = 0
    else shown.focused = isFocused
  }

  function createPrompt(approval: PendingApproval): ApprovalPrompt {
    const { approval_id, request, expires_at } = approval
    return createApprovalPrompt({
      request,
      expires_at,
      theme: options.theme,
      lang: options.lang,
      clock: options.clock,
      screen: options.screen,
      acknowledgement: options.acknowledgement,
      place: () => ({ at: answered + 1, total: answered + waiting.length }),
      onDecide: (decision) => decided(approval, decision),
      onClosed(line) {
        options.onClosed(approval_id, line)
        goOn(approval)
      },
    })
  }

  function decided(approval: PendingApproval, decision: TerminalDecision): void {
    const others = waiting.filter((one) => one !== approval && reaches(approval, decision, one))
    for (const other of others) waiting.splice(waiting.indexOf(other), 1)
    goOn(approval)
    const ids = others.map(({ approval_id }) => approval_id)
    options.onDecide(approval.approval_id, decision, ids)
  }

  function goOn(approval: PendingApproval): void {
    const at = waiting.indexOf(approval)
    if (at === -1) return
    waiting.splice(at, 1)
    answered++
    showFirst()
    options.onChange?.()
    options.screen.requestRender()
  }
}

function reaches(
  { request }: PendingApproval,
  { kind }: TerminalDecision,
  { request: other }: PendingApproval,
): boolean {
  if (kind === 'all') return true
  return kind === 'tool' && other.name === request.name && other.server === request.server
}
