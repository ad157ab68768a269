import { isPlainObject } from '@dataagent/schema/base'
import type {
  ClientCapabilities,
  CreateMessageRequestParams,
  ElicitRequestParams,
} from '@modelcontextprotocol/client'
import type { OfferedQuestions, QuestionContext, ServerQuestions } from '../client/contract.ts'
import type { RpcFault } from '../errors.ts'
import { withDefaults } from './elicitation.ts'
import { describe, quote } from './words.ts'

/** What a server asks, whichever way it asks. */
export interface Question {
  method: string
  params: Record<string, unknown>
}

export type Answer =
  | { status: 'ok'; result: Record<string, unknown> }
  /** There is no such question, or it is malformed. */
  | { status: 'wrong'; fault: RpcFault }
  /** The handler would not answer. `result` says so where a result can. */
  | { status: 'refused'; result?: Record<string, unknown>; fault: RpcFault; cause: unknown }

/** What all questions that are open may hold, in bytes. Sampling may carry images. */
export const heldMax = 4 * 1024 * 1024
const formMax = 256 * 1024

/** What a question may hold, in bytes. */
export function questionMax(method: string): number {
  return method === 'sampling/createMessage' ? heldMax : formMax
}

/** What is offered to a server: that for which there is a handler, and what `offers` has. */
export function toCapabilities(
  questions: ServerQuestions,
  offers: OfferedQuestions = {},
): ClientCapabilities {
  return {
    ...(questions.elicit && { elicitation: { form: {}, url: {} } }),
    ...(questions.sample && { sampling: {} }),
    ...(questions.listRoots && { roots: {} }),
    ...offers,
  }
}

/** The same for a call that `questions` answer, where each call says what it can be asked. */
export function toCallCapabilities(
  questions: ServerQuestions,
  { elicitation, sampling, roots }: OfferedQuestions = {},
): ClientCapabilities {
  return toCapabilities(questions, {
    ...(questions.elicit && elicitation && { elicitation }),
    ...(questions.sample && sampling && { sampling }),
    ...(questions.listRoots && roots && { roots }),
  })
}

/** Answers where nobody can be asked: nobody has declined a form either. */
export const nobody: ServerQuestions = {
  elicit: refuseAll,
  sample: refuseAll,
  listRoots: async () => [],
}

async function refuseAll(): Promise<never> {
  throw new Error('nobody answers it')
}

/** The handlers of `own`, and for what it leaves out those of `others`. */
export function withOthers(
  own: ServerQuestions | undefined,
  others: ServerQuestions,
): ServerQuestions {
  if (own === undefined) return others
  const { elicit = others.elicit, sample = others.sample, listRoots = others.listRoots } = own
  return { elicit, sample, listRoots }
}

/** Handlers for all that is offered, be it that they refuse. */
export function withRefusals(
  questions: ServerQuestions,
  { elicitation, sampling, roots }: OfferedQuestions = {},
): ServerQuestions {
  return withOthers(questions, {
    ...(elicitation && { elicit: nobody.elicit }),
    ...(sampling && { sample: nobody.sample }),
    ...(roots && { listRoots: nobody.listRoots }),
  })
}

/** Lets the handler for a question answer it. Never rejects. */
export async function answerQuestion(
  questions: ServerQuestions,
  { method, params }: Question,
  context: QuestionContext,
): Promise<Answer> {
  try {
    const result = await ask(questions, { method, params }, context)
    return result === undefined
      ? { status: 'wrong', fault: { code: -32601, message: `Method not found: ${quote(method)}` } }
      : result
  } catch (cause) {
    return refuse(method, cause)
  }
}

async function ask(
  questions: ServerQuestions,
  { method, params }: Question,
  context: QuestionContext,
): Promise<Answer | undefined> {
  if (method === 'elicitation/create' && questions.elicit) {
    if (!isElicitation(params)) return malformed(method)
    const given = await questions.elicit(params as ElicitRequestParams, context)
    return answered(withDefaults(params, given))
  }
  if (method === 'sampling/createMessage' && questions.sample) {
    if (!Array.isArray(params.messages)) return malformed(method)
    return answered(await questions.sample(params as CreateMessageRequestParams, context))
  }
  if (method === 'roots/list' && questions.listRoots) {
    return answered({ roots: await questions.listRoots(context) })
  }
  return undefined
}

/** Throws for a handler that gave nothing of use: that is a refusal. */
function answered(result: unknown): Answer {
  if (isPlainObject(result)) return { status: 'ok', result }
  throw new TypeError(`the handler gave ${describe(result)}`)
}

function isElicitation({ mode = 'form', message, requestedSchema, url }: Question['params']) {
  if (typeof message !== 'string') return false
  if (mode === 'url') return typeof url === 'string' && isSafePage(url)
  return mode === 'form' && isPlainObject(requestedSchema)
}

/** A person is sent there: over TLS, unless to this machine, and to the host that it says. */
function isSafePage(url: string): boolean {
  const { protocol, hostname, username, password } = URL.parse(url) ?? {}
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && isLoopback.test(hostname ?? ''))
}

const isLoopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

function malformed(method: string): Answer {
  return { status: 'wrong', fault: { code: -32602, message: `Invalid params of ${quote(method)}` } }
}

/** A form that nobody answers is one that was dismissed; the server learns no more than that. */
function refuse(method: string, cause: unknown): Answer {
  const fault = { code: -1, message: 'The request was refused' }
  if (method !== 'elicitation/create') return { status: 'refused', fault, cause }
  return { status: 'refused', result: { action: 'cancel' }, fault, cause }
}
