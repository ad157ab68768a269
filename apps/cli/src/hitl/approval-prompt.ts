import type { Clock } from '@dataagent/guard'
import { type Component, isKeyRelease, matchesKey } from '@earendil-works/pi-tui'
import { createField, type Field, toSigns } from '../input/index.ts'
import { cut, type Screen, type Theme, toPlainLine } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import {
  renderArguments,
  renderDescription,
  renderReason,
  renderTitle,
  renderWarnings,
  toCountdown,
  type View,
} from './approval-view.ts'
import { type AutoQuestion, createAutoQuestion } from './auto-approve.ts'
import type { Acknowledgement, ApprovalRequest, CloseReason, TerminalDecision } from './contract.ts'
import { toDetails } from './details.ts'
import { createOptions, toTyped } from './options.ts'
import { createQuietGate } from './quiet-gate.ts'
import { createScroll, type Scroll } from './scroll.ts'
import { findWarnings } from './warnings.ts'
import { words } from './words.ts'

/** The question whether a call may run, in place of the editor. Gone once it is answered. */
export interface ApprovalPrompt extends Component, Disposable {
  focused: boolean
  handleInput(data: string): void
  /** It is no question any more; tells so by `onClosed`. Nothing where it was answered. */
  close(how: CloseReason): void
}

export interface ApprovalPromptOptions {
  request: ApprovalRequest
  /**
   * Of the platform's clock; undefined: it does not expire. It is shown and no more: only the
   * platform, whose clock may be another, knows when it is over.
   */
  expires_at: number | undefined
  theme: Theme
  lang: Lang
  clock: Clock
  screen: Pick<Screen, 'rows' | 'requestRender'>
  acknowledgement: Acknowledgement
  /** Which of how many questions it is, from 1. */
  place?(): { at: number; total: number }
  /** Called once, unless it was closed before. */
  onDecide(decision: TerminalDecision): void
  /** Called once, unless it was answered before, with a line for people. */
  onClosed(line: string): void
}

const choices = [
  { value: 'once', letter: 'y', label: words.once },
  { value: 'tool', letter: 's', label: words.tool },
  { value: 'all', letter: 'a', label: words.all },
  { value: 'reject', letter: 'n', label: words.reject },
] as const

/** Rows of the live area that are not its own: the status, and what is under way. */
const rowsOfOthers = 3

type Kind = TerminalDecision['kind']

/** Shows the question and takes one decision, by arrows, digits or letters [D3.6]. */
export function createApprovalPrompt(options: ApprovalPromptOptions): ApprovalPrompt {
  const { request, expires_at, theme, lang, clock, screen } = options
  const warnings = findWarnings(request)
  const answers = createOptions<Kind>(choices, 'once')
  let gate = createQuietGate(clock)
  let isFocused = false
  let isOver = false
  let wasEarly = false
  let reason: Field | undefined
  let details: Scroll | undefined
  let auto: AutoQuestion | undefined
  let stopTicking = tick()

  return {
    get focused() {
      return isFocused
    },
    set focused(focused) {
      isFocused = focused
      if (reason !== undefined) reason.focused = focused
    },
    handleInput(data) {
      if (isOver || isKeyRelease(data)) return
      if (auto !== undefined) auto.handleInput(data)
      else if (gate.isEarly()) wasEarly = true
      else if (reason !== undefined) pressInReason(reason, data)
      else press(data)
      screen.requestRender()
    },
    invalidate() {},
    close,
    [Symbol.dispose]: end,
    render(width) {
      if (isOver) return []
      return auto?.render(width) ?? render({ theme, lang, width })
    },
  }

  function press(data: string): void {
    wasEarly = false
    const typed = toTyped(data)
    if (matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')) decide('reject')
    else if (matchesKey(data, 'tab')) openReason()
    else if (typed === 'e') toggleDetails()
    else if (!answers.move(data) && !details?.move(data)) answer(answers.answerOf(data)?.value)
  }

  function answer(kind: Kind | undefined): void {
    if (kind === undefined) return
    answers.select(kind)
    if (kind === 'all' && !options.acknowledgement.isGiven()) askAuto()
    else decide(kind)
  }

  function decide(kind: Kind): void {
    const message = reason?.text.trim() ?? ''
    end()
    options.onDecide({ kind, message })
  }

  function askAuto(): void {
    auto = createAutoQuestion({
      theme,
      lang,
      clock,
      onAnswer(isYes) {
        auto = undefined
        if (isYes) {
          options.acknowledgement.give()
          decide('all')
        } else {
          answers.select('once')
          gate = createQuietGate(clock)
        }
      },
    })
  }

  function toggleDetails(): void {
    details = details === undefined ? createScroll(toDetails(request, theme, lang)) : undefined
  }

  /** A reason mostly goes with a rejection; with what was chosen, where something was. */
  function openReason(): void {
    if (!answers.hasMoved) answers.select('reject')
    reason = createField({
      label: '',
      onSubmit: () => answer(answers.selected.value),
      onLeave() {
        reason = undefined
      },
    })
    reason.focused = isFocused
  }

  function pressInReason(field: Field, data: string): void {
    const isArrow = matchesKey(data, 'up') || matchesKey(data, 'down')
    if (isArrow) answers.move(data)
    else if (matchesKey(data, 'tab')) reason = undefined
    else if (!details?.move(data)) field.handleInput(data)
  }

  function close(how: CloseReason): void {
    if (isOver) return
    end()
    options.onClosed(words.closed(toPlainLine(request.name, 60), how)[lang])
  }

  function end(): void {
    isOver = true
    stopTicking()
    screen.requestRender()
  }

  /** Draws each second that is left. */
  function tick(): () => void {
    const left = leftMs()
    if (left === undefined) return () => {}
    return clock.after(((left - 1) % 1000) + 1, () => {
      stopTicking = tick()
      screen.requestRender()
    })
  }

  /** Undefined where nothing is: it does not expire, or the clock here says that it has. */
  function leftMs(): number | undefined {
    const left = expires_at === undefined ? 0 : expires_at - clock.now()
    return left > 0 ? left : undefined
  }

  /** The answers always; of the rest what there are rows for, the title and warnings first. */
  function render(view: View): string[] {
    const answerLines = [...answers.render(theme, lang, view.width), ...renderField(view)]
    let room = Math.max(1, screen.rows - rowsOfOthers - answerLines.length)
    const title = take(renderTitle(request, notes(), view))
    const warned = take(renderWarnings(warnings, view))
    const hint = room > 1 ? take(renderHint(view)) : []
    const body = details?.render(view, room) ?? renderBody(view, room)
    return [...title, ...body.slice(0, room), ...warned, ...answerLines, ...hint]

    function take(lines: string[]): string[] {
      const taken = lines.slice(0, room)
      room -= taken.length
      return taken
    }
  }

  /** What fits of what is told about the call, the arguments first. */
  function renderBody(view: View, room: number): string[] {
    const shown = renderArguments(request, view)
    const why = renderReason(request, view)
    const about = renderDescription(request, view)
    if (why.length + about.length + shown.length <= room) return [...why, ...about, ...shown]
    if (why.length + shown.length <= room) return [...why, ...shown]
    return shown
  }

  function notes(): string[] {
    const { at, total } = options.place?.() ?? { at: 1, total: 1 }
    const place = total > 1 ? [words.place(at, total)[lang]] : []
    const left = leftMs()
    return left === undefined ? place : [...place, words.left(toCountdown(left))[lang]]
  }

  function renderField({ width }: View): string[] {
    if (reason === undefined) return []
    const label = words.reason(answers.selected.label[lang])[lang]
    const field = reason.render(Math.max(1, width - 2)).map((line) => `  ${line.trimEnd()}`)
    return [theme.dim(cut(label, width, theme.glyphs.ellipsis)), ...field]
  }

  function renderHint({ width }: View): string[] {
    const hint = cut(toSigns(hintWords()[lang], theme), width, theme.glyphs.ellipsis)
    return [wasEarly ? theme.warn(hint) : theme.dim(hint)]
  }

  function hintWords() {
    if (wasEarly) return words.tooEarly
    if (reason !== undefined) return words.keysInReason
    return details === undefined ? words.keys : words.keysInDetails
  }
}
