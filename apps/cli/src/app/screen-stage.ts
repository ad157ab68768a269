import type { Clock } from '@dataagent/guard'
import { createApprovalQueue, createAutoQuestion } from '../hitl/index.ts'
import {
  type Complete,
  createKeyHandler,
  createPrompt,
  type History,
  type KeyBindings,
  renderKeys,
} from '../input/index.ts'
import { renderSpinner, renderStatus, type Screen } from '../ui/index.ts'
import { createChoice, createConfirmation, createTextQuestion, type Dialog } from './dialogs.ts'
import { createLiveArea } from './live-area.ts'
import type { Backstage, Stage } from './stage.ts'
import { words } from './words.ts'

export interface ScreenStageOptions {
  screen: Screen
  clock: Clock
  history: History
  bindings: KeyBindings
  complete: Complete
  env: Readonly<Record<string, string | undefined>>
}

/** How long what is said about leaving holds: it has to be read. */
const leavingMs = 2_000

/** The program on a screen: prompt, questions in its place, keys. */
export function createScreenStage(options: ScreenStageOptions, backstage: Backstage): Stage {
  const { screen, clock, bindings } = options
  const look = {
    get theme() {
      return backstage.theme()
    },
    get lang() {
      return backstage.lang()
    },
  }
  let isPlanShown = false
  /** When it was said that the key once more leaves. */
  let toldAt = Number.NEGATIVE_INFINITY
  const prompt = createPrompt({
    ...{ screen, bindings, history: options.history, complete: options.complete, env: options.env },
    get theme() {
      return look.theme
    },
    get lang() {
      return look.lang
    },
    onSubmit: backstage.submit,
    onTakeBack: backstage.takeBack,
  })
  const live = createLiveArea({
    ...{ screen, prompt, transcript: backstage.transcript },
    above: (width) => [
      ...renderCommand(width),
      ...(isPlanShown ? backstage.transcript().renderPlan(width) : []),
    ],
    isMoving: () => backstage.commandSince() !== undefined,
    status: (width) => renderStatus(backstage.status(), { ...look, width }),
  })
  let hideQuestions: (() => void) | undefined
  const questions = createApprovalQueue({
    ...{ screen, clock, acknowledgement: backstage.acknowledgement },
    get theme() {
      return look.theme
    },
    get lang() {
      return look.lang
    },
    onDecide: backstage.decide,
    onClosed: (_, line) => screen.print([line]),
    onChange() {
      if (questions.size > 0) hideQuestions ??= live.show(questions)
      else {
        hideQuestions?.()
        hideQuestions = undefined
      }
    },
  })
  /** Questions that stand in the place of the prompt. */
  const open = new Set<Dialog<unknown>>()

  function renderCommand(width: number): string[] {
    const since = backstage.commandSince()
    if (since === undefined) return []
    return [renderSpinner(words.working, { since, now: Date.now() }, look, width)]
  }

  async function put<T>(dialog: Dialog<T>): Promise<T | undefined> {
    open.add(dialog)
    const close = live.show(dialog.component)
    try {
      return await dialog.answer
    } finally {
      close()
      open.delete(dialog)
      screen.requestRender()
    }
  }

  const atPrompt = (act: () => unknown) => () =>
    open.size === 0 && questions.size === 0 && act() !== false
  const whereEmpty = (act: () => unknown) => atPrompt(() => prompt.isEmpty && act() !== false)

  function askAuto(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const component = createAutoQuestion({ ...look, clock, onAnswer: resolve })
    return put({ component, answer: promise, leave: () => resolve(false) }).then(Boolean)
  }

  async function openEditor(): Promise<void> {
    const edited = await prompt.editExternally()
    if (edited.status === 'failed') screen.print([look.theme.warn(edited.message)])
  }

  function expand(): boolean {
    const lines = backstage.transcript().expandLast(screen.columns)
    if (lines) screen.print(lines)
    return lines !== undefined
  }

  function clear(): boolean {
    for (const dialog of open) dialog.leave()
    if (backstage.stop()) return true
    if (prompt.isEmpty) sayOrLeave()
    else toldAt = Number.NEGATIVE_INFINITY
    prompt.clear()
    return true
  }

  function sayOrLeave(): void {
    const now = clock.monotonic()
    if (now - toldAt <= leavingMs) backstage.quit()
    else {
      toldAt = now
      screen.print([look.theme.dim(words.again[look.lang])])
    }
  }

  const stopListening = screen.onKey(
    createKeyHandler(
      bindings,
      {
        clear,
        quit: () => void backstage.quit(),
        exit: whereEmpty(backstage.quit),
        stop: atPrompt(() => !prompt.isBusy && backstage.stop()),
        editPrevious: whereEmpty(() => prompt.handleInput('\u001b[A')),
        approvalMode: atPrompt(backstage.toggleApproval),
        expand,
        plan() {
          isPlanShown = !isPlanShown
          return true
        },
        // As if it was typed: so the list opens.
        palette: whereEmpty(() => prompt.handleInput('/')),
        redraw() {
          screen.redraw()
          return true
        },
        history: atPrompt(() => prompt.searchHistory()),
        editor: atPrompt(() => void openEditor()),
        help: whereEmpty(() =>
          screen.print(renderKeys({ bindings, ...look, width: screen.columns })),
        ),
      },
      clock,
    ),
  )

  return {
    screen,
    update() {
      prompt.setQueued(backstage.queued())
      live.update()
    },
    choose: (title, items) => put(createChoice(title, items, look)),
    askText: (title, asked = {}) => put(createTextQuestion(title, asked, look)),
    confirm: async (question) =>
      (await put(createConfirmation(question, { ...look, clock }))) ?? false,
    questions,
    askAuto,
    openEditor,
    giveBack(text) {
      prompt.setText(prompt.isEmpty ? text : `${text}\n\n${prompt.text}`)
    },
    restyle: () => prompt.invalidate(),
    [Symbol.dispose]() {
      stopListening()
      for (const dialog of open) dialog.leave()
      questions[Symbol.dispose]()
      live[Symbol.dispose]()
      screen.close()
    },
  }
}
