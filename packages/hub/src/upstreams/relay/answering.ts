import type { Clock } from '@dataagent/guard'
import type { QuestionContext, ServerQuestions } from '@dataagent/mcp'
import type { PausableTimer } from '../calls/pausable-timer.ts'
import type { AskedQuestion, QuestionAnswer, QuestionName } from './messages.ts'

export interface AnsweringOptions {
  questions: ServerQuestions
  clock: Clock
  /** That of the call: it stands still while a question is open. */
  timer: PausableTimer
  send(message: QuestionAnswer): Promise<void>
}

/** Answers what is asked for one call whose connection another process holds. */
export interface Answering {
  asked(message: AskedQuestion): Promise<void>
  over(question: number): void
  /** The call has ended, and its questions with it. */
  end(): void
}

/** How often the holder is told that the answer is still on its way. */
const againMs = 5_000

export function createAnswering({ questions, clock, timer, send }: AnsweringOptions): Answering {
  const open = new Map<number, AbortController>()

  return {
    async asked({ id, question, name, params, key }) {
      const controller = new AbortController()
      open.set(question, controller)
      timer.pause()
      const stopSaying = sayAgain({ kind: 'asking', id, question })
      try {
        const context = { signal: controller.signal, ...(key !== undefined && { key }) }
        const value = await run(name, params, context)
        await send({ kind: 'answer', id, question, value })
      } catch {
        await send({ kind: 'answer', id, question, refused: true }).catch(ignore)
      } finally {
        stopSaying()
        open.delete(question)
        timer.resume()
      }
    },
    over: (question) => open.get(question)?.abort(),
    end() {
      for (const controller of open.values()) controller.abort()
    },
  }

  async function run(name: QuestionName, params: unknown, context: QuestionContext) {
    const { elicit, sample, listRoots } = questions
    if (name === 'elicit' && elicit) return await elicit(params as never, context)
    if (name === 'sample' && sample) return await sample(params as never, context)
    if (name === 'listRoots' && listRoots) return await listRoots(context)
    throw new Error('nobody answers it')
  }

  function sayAgain(message: QuestionAnswer): () => void {
    let cancel = clock.after(againMs, say)
    return () => cancel()

    function say(): void {
      void send(message).catch(ignore)
      cancel = clock.after(againMs, say)
    }
  }
}

function ignore(): void {}
