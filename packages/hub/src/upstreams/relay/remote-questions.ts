import type { Clock } from '@dataagent/guard'
import type { QuestionContext, ServerQuestions } from '@dataagent/mcp'
import type { CallRequest, Downward, QuestionAnswer, QuestionName } from './messages.ts'

/** Puts the questions of a server to the process whose call it asks for. */
export interface RemoteQuestions {
  /** Handlers for what the caller said it can be asked; undefined where that is nothing. */
  of(request: CallRequest): ServerQuestions | undefined
  /** An answer, or a sign that there will be one. */
  heard(message: QuestionAnswer): void
}

export interface RemoteQuestionsOptions {
  clock: Clock
  tell(to: string, message: Downward): Promise<void>
}

interface OpenQuestion {
  settle: PromiseWithResolvers<unknown>
  touch(): void
}

/** As often as the one who asks a person says that it still does, four times. */
const silentMs = 20_000

export function createRemoteQuestions(options: RemoteQuestionsOptions): RemoteQuestions {
  const { clock, tell } = options
  const open = new Map<string, OpenQuestion>()
  let last = 0

  return {
    of(request) {
      const { asks } = request
      if (asks === undefined) return undefined
      const handler = (name: QuestionName) => (params: unknown, context: QuestionContext) =>
        ask(request, { name, params, context })
      return {
        ...(asks.includes('elicit') && { elicit: handler('elicit') }),
        ...(asks.includes('sample') && { sample: handler('sample') }),
        ...(asks.includes('listRoots') && {
          listRoots: (context: QuestionContext) => handler('listRoots')(undefined, context),
        }),
      } as ServerQuestions
    },
    heard(message) {
      const question = open.get(toName(message.id, message.question))
      if (message.kind === 'asking') question?.touch()
      else if (message.refused) question?.settle.reject(new Error('the caller refused'))
      else question?.settle.resolve(message.value)
    },
  }

  async function ask(
    { id, from }: CallRequest,
    { name, params, context }: { name: QuestionName; params: unknown; context: QuestionContext },
  ): Promise<unknown> {
    last += 1
    const question = last
    const { signal, key } = context
    const settle = Promise.withResolvers<unknown>()
    const giveUp = (why: string) => {
      settle.reject(new Error(why))
      void tell(from, { kind: 'question_over', id, question }).catch(ignore)
    }
    const onAbort = () => giveUp('the question is over')
    const watch = () => clock.after(silentMs, () => giveUp('the process of the caller is silent'))
    let cancelTimer = watch()
    const touch = () => {
      cancelTimer()
      cancelTimer = watch()
    }
    open.set(toName(id, question), { settle, touch })
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      tell(from, { kind: 'question', id, question, name, params, key }).catch(settle.reject)
      return await settle.promise
    } finally {
      open.delete(toName(id, question))
      cancelTimer()
      signal.removeEventListener('abort', onAbort)
    }
  }
}

function toName(id: string, question: number): string {
  return `${id} ${question}`
}

function ignore(): void {}
