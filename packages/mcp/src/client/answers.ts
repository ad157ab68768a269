import { createOutbox } from '../protocol/outbox.ts'
import type { Peer } from '../protocol/peer.ts'
import type { CallFollower, PendingCall } from '../protocol/pending-call.ts'
import {
  type Answer,
  answerQuestion,
  heldMax,
  nobody,
  questionMax,
  withOthers,
} from '../protocol/questions.ts'
import { estimateSize } from '../protocol/size.ts'
import { quote } from '../protocol/words.ts'
import type { JsonRpcRequest, JsonRpcResponse, RequestId } from '../rpc/messages.ts'
import { callsOf, mayBeBrought, ownerOf } from './call-owner.ts'
import type { ServerQuestions } from './contract.ts'

/** A server that asks more than this at once is refused the rest. */
const openMax = 100
const tooMany = { code: -32600, message: 'Too many requests at once, or an id twice' }

const tooLarge = { code: -32600, message: 'The request is too large, or too much is open' }

/** An answer carries the id that was sent; one that is longer is not answered. */
const idMax = 1_024

/** Answers the requests that a server of the handshake era sends by itself. */
export interface Answers {
  /** `call` is the id of our call that the request belongs to, where that is known. */
  answer(request: JsonRpcRequest, call: RequestId | undefined): void
  /** The server no longer waits for the answer to its request. */
  cancelled(requestId: unknown): void
  /** Ends every question. */
  close(): void
}

export interface AnswersOptions {
  peer: Peer
  questions: ServerQuestions
  onWarning(text: string): void
}

/** Creates the answering end of a connection. */
export function createAnswers({ peer, questions, onWarning }: AnswersOptions): Answers {
  const open = new Map<RequestId, OpenQuestion>()
  let held = 0
  const outbox = createOutbox({
    send: sendOne,
    onLeftOut: () => onWarning('the server asks more than it takes answers for; they are left out'),
  })
  const { send } = outbox

  return {
    answer(request, call) {
      const { id, method } = request
      if (`${id}`.length > idMax) onWarning('a request with an id that is too long was ignored')
      else if (method === 'ping') send({ jsonrpc: '2.0', id, result: {} })
      else if (open.has(id) || open.size >= openMax) send({ jsonrpc: '2.0', id, error: tooMany })
      else accept(request, call)
    },
    cancelled(requestId) {
      const question = open.get(requestId as RequestId)
      if (question === undefined) return
      open.delete(requestId as RequestId)
      question.end()
    },
    close() {
      for (const question of open.values()) question.end()
      open.clear()
      outbox.close()
    },
  }

  /** What a question holds is given back when its handler has ended, not when it is told to. */
  function accept(request: JsonRpcRequest, call: RequestId | undefined): void {
    const { id, method } = request
    const max = Math.min(questionMax(method), heldMax - held)
    const size = estimateSize(request, max)
    if (size > max) {
      send({ jsonrpc: '2.0', id, error: tooLarge })
      return
    }
    held += size
    void ask(request, call).finally(() => {
      held -= size
    })
  }

  async function ask(request: JsonRpcRequest, call: RequestId | undefined): Promise<void> {
    const { id, method, params = {} } = request
    const question = new OpenQuestion(callsOf(peer, call))
    open.set(id, question)
    const { signal } = question
    const asked = questionsFor(call)
    if (asked === nobody) {
      onWarning(`${quote(method)} was shown to nobody: it is not known for which call it is`)
    }
    const answer = await answerQuestion(asked, { method, params }, { signal })
    question.release()
    const isWanted = open.get(id) === question
    if (!isWanted) return
    open.delete(id)
    if (answer.status === 'refused' && asked !== nobody) onWarning(`${quote(method)} was refused`)
    send(toResponse(id, answer))
  }

  /** Who has brought handlers is asked for their own call alone. */
  function questionsFor(call: RequestId | undefined): ServerQuestions {
    const owner = ownerOf(peer, call)
    if (owner !== undefined) return withOthers(owner.options.questions, questions)
    return mayBeBrought(peer, call) ? nobody : questions
  }

  async function sendOne(response: JsonRpcResponse): Promise<void> {
    try {
      await peer.send(response)
    } catch {
      onWarning('a request of the server could not be answered')
    }
  }
}

function toResponse(id: RequestId, answer: Answer): JsonRpcResponse {
  if (answer.status === 'ok') return { jsonrpc: '2.0', id, result: answer.result }
  if (answer.status === 'wrong' || answer.result === undefined) {
    return { jsonrpc: '2.0', id, error: answer.fault }
  }
  return { jsonrpc: '2.0', id, result: answer.result }
}

/**
 * A question under way, and the calls that it may belong to: their time stands still as long as it
 * is open, and it ends when the last of them has.
 */
class OpenQuestion implements CallFollower {
  readonly #controller = new AbortController()
  readonly #calls: Set<PendingCall>

  constructor(calls: PendingCall[]) {
    this.#calls = new Set(calls)
    for (const call of calls) {
      call.pause()
      call.follow(this)
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  callEnded(call: PendingCall): void {
    this.#calls.delete(call)
    if (this.#calls.size === 0) this.end()
  }

  end(): void {
    this.#controller.abort()
  }

  /** To be called once, when it is answered. */
  release(): void {
    for (const call of this.#calls) {
      call.unfollow(this)
      call.resume()
    }
    this.#calls.clear()
  }
}
