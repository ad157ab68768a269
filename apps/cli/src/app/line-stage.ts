import { createInterface } from 'node:readline'
import type { TerminalDecision } from '../hitl/index.ts'
import { type Screen, toPlain } from '../ui/index.ts'
import type { Text } from '../words/index.ts'
import type { Backstage, Stage } from './stage.ts'
import { words } from './words.ts'

export interface LineStageOptions {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: NodeJS.WritableStream & { columns?: number }
}

export interface LineStage extends Stage {
  /**
   * Ctrl-C, which comes as a signal where there are no keys: stops the turn that is under way.
   * False where it means the program: no turn is there, it is being stopped, or the input is over.
   */
  interrupt(): boolean
}

/** Takes the next line in place of the program. */
type Reader = (line: string) => void

/**
 * The program where there is no screen to draw on: every line is written once, questions are
 * answered with a line. At the end of a pipe it leaves when all that was said is done; what is
 * asked by then nobody answers.
 */
export function createLineStage(
  { input, output }: LineStageOptions,
  backstage: Backstage,
): LineStage {
  const reader = createInterface({ input, output, prompt: '> ', terminal: false })
  const readers: Reader[] = []
  const answers = new Map<string, Reader>()
  const refused = new Set<string>()
  const screen = createLines(output)
  let wasRunning = false
  let isStopping = false
  let isEnded = false

  const word = (text: Text) => text[backstage.lang()]
  const say = (...lines: string[]) => screen.print(lines)

  function take(line: string): void {
    const next = readers.shift()
    if (next) next(line)
    else if (line.trim() !== '') backstage.submit(line.trim())
    else reader.prompt()
  }

  function readLine(place: 'first' | 'last' = 'last'): Promise<string> {
    if (isEnded) return Promise.resolve('')
    const add = place === 'first' ? 'unshift' : 'push'
    return new Promise((resolve) => readers[add](resolve))
  }

  async function confirm(question: string, place: 'first' | 'last' = 'last'): Promise<boolean> {
    say(question, word(words.confirmHint))
    return /^(?:y|yes|是)$/i.test((await readLine(place)).trim())
  }

  /** What approving everything means is agreed to once. */
  async function acknowledge(): Promise<boolean> {
    const { isGiven, give } = backstage.acknowledgement
    if (isGiven()) return true
    const isAgreed = await confirm(word(words.autoQuestion), 'first')
    if (isAgreed) give()
    return isAgreed
  }

  /** False where it is no question any more. */
  function forget(approval_id: string): boolean {
    const answer = answers.get(approval_id)
    if (answer === undefined) return false
    answers.delete(approval_id)
    const at = readers.indexOf(answer)
    if (at !== -1) readers.splice(at, 1)
    return true
  }

  /** Once: where the platform does not take it, it ends there in its time. */
  function refuse(approval_id: string): void {
    forget(approval_id)
    if (refused.has(approval_id)) return
    refused.add(approval_id)
    say(word(words.nobodyAnswers))
    backstage.decide(approval_id, { kind: 'reject', message: words.nobodyAnswers.en }, [])
  }

  function end(): void {
    isEnded = true
    for (const approval_id of [...answers.keys()]) refuse(approval_id)
    for (const read of readers.splice(0)) read('')
    leaveWhenDone()
  }

  /** A person who ends the input leaves at once. */
  function leaveWhenDone(): void {
    if (isEnded && (input.isTTY || !backstage.isBusy())) backstage.quit()
  }

  reader.on('line', take)
  reader.on('close', end)
  reader.prompt()

  return {
    screen,
    interrupt() {
      if (isEnded || isStopping) return false
      isStopping = backstage.stop()
      return isStopping
    },
    update() {
      const lines = backstage.transcript().takeLines(screen.columns)
      if (lines.length > 0) screen.print(lines)
      const { isRunning } = backstage.status()
      if (wasRunning && !isRunning && !isEnded) reader.prompt()
      wasRunning = isRunning
      if (!isRunning) isStopping = false
      leaveWhenDone()
    },
    async choose(title, items) {
      say(title, ...items.map(({ label, about }, at) => `${at + 1}  ${label}  ${about ?? ''}`))
      return items[Number.parseInt(await readLine(), 10) - 1]?.value
    },
    async askText(title) {
      say(title)
      const text = await readLine()
      return text === '' ? undefined : text
    },
    confirm: (question) => confirm(question),
    questions: {
      add({ approval_id, request }) {
        const { name, args, description } = request
        say(toPlain(`${name}: ${description}\n${JSON.stringify(args)}`), word(words.lineApproval))
        if (isEnded) return refuse(approval_id)
        const answer: Reader = (line) => void settle(line)
        const settle = async (line: string) => {
          const decision = toAnswer(line)
          const isMeant = decision && (decision.kind !== 'all' || (await acknowledge()))
          if (!answers.has(approval_id)) return
          if (isMeant) {
            const others = decision.kind === 'all' ? [...answers.keys()] : []
            for (const id of [approval_id, ...others]) forget(id)
            return backstage.decide(
              approval_id,
              decision,
              others.filter((id) => id !== approval_id),
            )
          }
          // It may have been meant for the agent: that was typed before the question was seen.
          const message = line.trim()
          if (decision === undefined && message !== '') backstage.submit(message)
          say(word(words.lineApproval))
          readers.unshift(answer)
        }
        answers.set(approval_id, answer)
        readers.push(answer)
      },
      close(approval_id) {
        if (forget(approval_id)) say(word(words.answeredElsewhere))
      },
    },
    askAuto: () => confirm(word(words.autoQuestion)),
    openEditor: async () => say(word(words.noEditorHere)),
    giveBack: (text) => say(toPlain(text)),
    restyle: () => {},
    [Symbol.dispose]() {
      reader.off('close', end)
      reader.close()
    },
  }
}

/** `n` may be followed by a reason; the others stand alone: a sentence may begin as they do. */
function toAnswer(line: string): TerminalDecision | undefined {
  const [first = '', ...rest] = line.trim().split(/\s+/)
  const key = first.toLowerCase()
  const message = rest.join(' ')
  if (key === 'n' || key === '4') return { kind: 'reject', message }
  if (message !== '') return undefined
  if (key === 'y' || key === '1') return { kind: 'once', message }
  if (key === 's' || key === '2') return { kind: 'tool', message }
  if (key === 'a' || key === '3') return { kind: 'all', message }
  return undefined
}

/** A screen of which only the printing is there. */
function createLines(output: LineStageOptions['output']): Screen {
  const nothing = () => {}
  return {
    get columns() {
      return output.columns ?? 80
    },
    rows: 24,
    print: (lines) => void output.write(lines.map((line) => `${line}\n`).join('')),
    setLive: nothing,
    focus: nothing,
    onKey: () => nothing,
    onResize: () => nothing,
    requestRender: nothing,
    isLent: false,
    lend: (work) => work(),
    copy: () => false,
    redraw: nothing,
    close: nothing,
    [Symbol.dispose]: nothing,
  }
}
