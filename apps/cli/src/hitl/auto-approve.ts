import type { Clock } from '@dataagent/guard'
import { type Component, isKeyRelease, matchesKey } from '@earendil-works/pi-tui'
import { type ApprovalMode, type Theme, wrap } from '../ui/index.ts'
import type { Lang } from '../words/index.ts'
import type { Acknowledgement } from './contract.ts'
import { createOptions } from './options.ts'
import { createQuietGate } from './quiet-gate.ts'
import { words } from './words.ts'

export interface AutoQuestion extends Component {
  handleInput(data: string): void
}

export interface AutoQuestionOptions {
  theme: Theme
  lang: Lang
  clock: Clock
  /** Called once. */
  onAnswer(isYes: boolean): void
}

/** Says what auto-approval means and asks whether it is wanted; No where one just presses Enter. */
export function createAutoQuestion(options: AutoQuestionOptions): AutoQuestion {
  const { theme, lang, clock } = options
  const gate = createQuietGate(clock)
  const answers = createOptions<boolean>(
    [
      { value: true, letter: 'y', label: words.autoYes },
      { value: false, letter: 'n', label: words.autoNo },
    ],
    false,
  )
  let isAnswered = false

  return {
    handleInput(data) {
      if (isKeyRelease(data) || isAnswered || gate.isEarly() || answers.move(data)) return
      const isLeft = matchesKey(data, 'escape') || matchesKey(data, 'ctrl+c')
      const answer = isLeft ? false : answers.answerOf(data)?.value
      if (answer === undefined) return
      isAnswered = true
      options.onAnswer(answer)
    },
    invalidate() {},
    render: (width) => [
      ...wrap(theme.warn(theme.strong(words.autoTitle[lang])), width),
      ...wrap(words.autoMeaning[lang], width),
      ...answers.render(theme, lang, width),
    ],
  }
}

export interface ModeSwitch {
  /** Default: the other one of `from`. */
  to?: ApprovalMode | undefined
  from: ApprovalMode
  acknowledgement: Acknowledgement
  /** Shows `createAutoQuestion`. */
  ask(): Promise<boolean>
}

/** The mode that Shift+Tab or /approve leads to; the first time on a machine a person is asked. */
export async function switchMode({ to, from, acknowledgement, ask }: ModeSwitch) {
  const wanted: ApprovalMode = to ?? (from === 'ask' ? 'auto' : 'ask')
  if (wanted === 'ask' || acknowledgement.isGiven()) return wanted
  if (!(await ask())) return from
  acknowledgement.give()
  return wanted
}
