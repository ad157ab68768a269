import type { Reply } from './reply.ts'
import { lastUserText, type RecordedRequest } from './request.ts'

/**
 * One answer: fixed, worked out from the request, or only for a request whose last user text
 * matches.
 */
export type Step =
  | Reply
  | ((request: RecordedRequest) => Reply | Promise<Reply>)
  | { when: string | RegExp; reply: Reply }

/** Steps, each used once and in order; or a function that answers every request. */
export type Script = Step[] | ((request: RecordedRequest) => Reply | Promise<Reply>)

/** Gives the reply to each request in turn. */
export function createPlayer(script: Script): (request: RecordedRequest) => Promise<Reply> {
  if (typeof script === 'function') return async (request) => script(request)
  const left = [...script]
  return async (request) => {
    const at = left.findIndex((step) => fits(step, request))
    const [step] = at === -1 ? [] : left.splice(at, 1)
    if (step === undefined) return exhausted(request, left.length)
    if (typeof step === 'function') return step(request)
    return typeof step === 'object' && 'when' in step ? step.reply : step
  }
}

/** Steps without a condition wait their turn; those with one are passed over until they match. */
function fits(step: Step, request: RecordedRequest): boolean {
  if (typeof step !== 'object' || !('when' in step)) return true
  const text = lastUserText(request)
  return typeof step.when === 'string' ? text.includes(step.when) : step.when.test(text)
}

/** Not retryable, so that a test that asks once too often fails at once and says why. */
function exhausted(request: RecordedRequest, left: number): Reply {
  const text = JSON.stringify(lastUserText(request))
  const message = `The script has no step for request ${request.number} (last user text ${text}, ${left} steps left)`
  return { error: 400, message, code: 'script_exhausted' }
}
