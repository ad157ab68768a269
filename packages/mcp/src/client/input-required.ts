import { type Clock, wait } from '@dataagent/guard'
import { isPlainObject } from '@dataagent/schema/base'
import { cancelledError, McpError, protocolError, timeoutError } from '../errors.ts'
import type { Hold } from '../hold.ts'
import { answerQuestion, heldMax, type Question, questionMax } from '../protocol/questions.ts'
import { estimateSize } from '../protocol/size.ts'
import { describe, quote } from '../protocol/words.ts'
import type { QuestionContext, ServerQuestions } from './contract.ts'

// A server of the modern era asks by answering `input_required`; the request is then sent again
// with the answers (2026-07-28, basic/patterns/mrtr).

const roundsMax = 10
const questionsMax = 100
/** Before a request is sent again though nothing was asked: the server sheds load. */
const shedMs = 250

export interface Rounds {
  method: string
  timeoutMs: number
  questions: ServerQuestions
  signal: AbortSignal | undefined
  /** Held while this end waits for something else than the server. */
  hold: Hold
  /** Aborts when the client is closed or the server has gone, with why. */
  closing: AbortSignal
  clock: Clock
  onWarning(text: string): void
  /** Sends the request with `extra` parameters, to be answered within `timeoutMs`. */
  send(extra: Record<string, unknown> | undefined, timeoutMs: number): Promise<unknown>
}

/** Sends a request as often as the server needs input for it. Gives the complete result. */
export async function sendInRounds(rounds: Rounds): Promise<unknown> {
  const { method, timeoutMs, clock, send } = rounds
  let left = timeoutMs
  let extra: Record<string, unknown> | undefined
  for (let round = 0; round <= roundsMax; round++) {
    const begun = clock.monotonic()
    const result = await send(extra, Math.ceil(left))
    const wish = toWish(method, result)
    if (wish === undefined) return result
    if (wish.asked.length === 0) await untilEnded(rounds, (over) => wait(clock, shedMs, over))
    left -= clock.monotonic() - begun
    if (left <= 0) throw timeoutError(`"${method}"`, timeoutMs, true)
    extra = await toExtra(rounds, wish)
  }
  throw protocolError(`"${method}" still needs input after ${roundsMax} rounds`)
}

/** For a request during which a server may not ask: a `protocol` error where it does. */
export function assertComplete(method: string, result: unknown): void {
  if (toResultType(method, result) === 'complete') return
  throw protocolError(`the server needs input for "${method}", where it may not ask`)
}

/** What the server needs before it goes on. */
interface Wish {
  asked: [key: string, question: Question][]
  requestState: string | undefined
}

/** `undefined` for a complete result. */
function toWish(method: string, result: unknown): Wish | undefined {
  if (!isPlainObject(result) || toResultType(method, result) === 'complete') return undefined
  const { inputRequests, requestState } = result
  const isState = requestState === undefined || typeof requestState === 'string'
  const isAsking = inputRequests === undefined || isPlainObject(inputRequests)
  if (!isState || !isAsking || (inputRequests ?? requestState) === undefined) {
    throw protocolError(`the server needs input for "${method}" but does not say which`)
  }
  return { asked: toQuestions(method, inputRequests ?? {}), requestState }
}

/** A result without a type is complete; an unknown type is invalid (2026-07-28, basic/index). */
function toResultType(method: string, result: unknown): 'complete' | 'input_required' {
  const type = isPlainObject(result) ? (result.resultType ?? 'complete') : 'complete'
  if (type === 'complete' || type === 'input_required') return type
  const found = typeof type === 'string' ? quote(type) : describe(type)
  throw protocolError(`the server answered "${method}" with an unknown type of result: ${found}`)
}

function toQuestions(method: string, asked: Record<string, unknown>): Wish['asked'] {
  const entries = Object.entries(asked)
  if (entries.length > questionsMax) {
    throw protocolError(`the server asks more than ${questionsMax} questions for "${method}"`)
  }
  let held = 0
  return entries.map(([key, entry]) => {
    const params = isPlainObject(entry) ? (entry.params ?? {}) : undefined
    if (!isPlainObject(entry) || typeof entry.method !== 'string' || !isPlainObject(params)) {
      throw protocolError(`the server asks a malformed question for "${method}"`)
    }
    const max = Math.min(questionMax(entry.method), heldMax - held)
    const size = estimateSize([key, params], max)
    if (size > max) throw tooLarge(method)
    held += size
    return [key, { method: entry.method, params }]
  })
}

function tooLarge(method: string): McpError {
  const message = `mcp: the server asks questions that are too large for "${method}"`
  return new McpError({ kind: 'too_large', code: 'too_large', message, mayHaveRun: true })
}

/** What goes along with the request when it is sent again. */
async function toExtra(
  rounds: Rounds,
  { asked, requestState }: Wish,
): Promise<Record<string, unknown>> {
  const inputResponses = asked.length === 0 ? undefined : await answerAll(rounds, asked)
  return {
    ...(inputResponses !== undefined && { inputResponses }),
    ...(requestState !== undefined && { requestState }),
  }
}

function answerAll(rounds: Rounds, asked: Wish['asked']): Promise<Record<string, unknown>> {
  return untilEnded(rounds, async (over) => {
    const answers = asked.map(async ([key, question]) => {
      return [key, await answer(rounds, question, { signal: over, key })] as const
    })
    return Object.fromEntries(await Promise.all(answers))
  })
}

async function answer(
  { method, questions, onWarning }: Rounds,
  question: Question,
  context: QuestionContext,
): Promise<Record<string, unknown>> {
  const given = await answerQuestion(questions, question, context)
  const asked = quote(question.method)
  if (given.status === 'wrong') {
    throw protocolError(`the server asks ${asked} for "${method}", which was not offered to it`)
  }
  if (given.status === 'refused') onWarning(`${asked} was refused`)
  if (given.result !== undefined) return given.result
  const cause = given.status === 'refused' ? given.cause : undefined
  const message = `mcp: "${method}" needs an answer to ${asked}, which was refused`
  throw new McpError({ kind: 'cancelled', code: 'cancelled', message, mayHaveRun: true, cause })
}

/** Waits no longer than the caller does or the client is open; `over` aborts when it ends. */
async function untilEnded<T>(
  { signal, closing, hold }: Rounds,
  work: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const ended = new Promise<never>((_, reject) => {
    const onAbort = () => reject(cancelledError(signal, true))
    const onClose = () => reject(closing.reason)
    signal?.addEventListener('abort', onAbort, { signal: over.signal })
    closing.addEventListener('abort', onClose, { signal: over.signal })
    if (signal?.aborted) onAbort()
    if (closing.aborted) onClose()
  })
  hold.hold()
  try {
    return await Promise.race([work(over.signal), ended])
  } finally {
    hold.release()
    over.abort()
  }
}
