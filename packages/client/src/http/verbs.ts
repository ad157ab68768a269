import { jsonDepthMax, readJson } from '@dataagent/schema'
import { ClientError } from '../client-error.ts'
import { newId } from '../new-id.ts'
import type { AnswerReader, CallOptions, HttpRequest, SendRequest } from './contract.ts'

type Given = CallOptions & Pick<HttpRequest, 'query' | 'body' | 'bytes' | 'isPatient'>
type Answered<A> = Given & { answer: AnswerReader<A> }

/** What the methods of a client are made of. */
export interface Verbs {
  get<A>(path: string, given: Answered<A>): Promise<A>
  post<A>(path: string, given: Answered<A>): Promise<A>
  /** A post that makes something: it is retried, and done once. */
  create<A>(path: string, given: Answered<A>): Promise<A>
  put<A>(path: string, given: Answered<A>): Promise<A>
  patch<A>(path: string, given: Answered<A>): Promise<A>
  /** A request whose answer says nothing. */
  tell(method: 'POST' | 'PUT' | 'DELETE', path: string, given?: Given): Promise<void>
  /** The answer as it comes: a file or a stream, to be read by the caller. */
  open(path: string, given: Given & { accept: string }): Promise<Response>
}

/** The deepest answers are pages of events. */
const answerDepthMax = jsonDepthMax + 8

export function createVerbs(send: SendRequest): Verbs {
  const asking =
    (method: HttpRequest['method']): Verbs['get'] =>
    (path, { answer, ...given }) =>
      send({ method, path, ...given }, (response) => readAnswer(response, answer))

  return {
    get: asking('GET'),
    post: asking('POST'),
    put: asking('PUT'),
    patch: asking('PATCH'),
    create(path, { answer, ...given }) {
      const request = { path, idempotencyKey: newId(), ...given }
      return send({ method: 'POST', ...request }, (response) => readAnswer(response, answer))
    },
    tell: (method, path, given) => send({ method, path, ...given }, (response) => drop(response)),
    open: (path, given) => send({ method: 'GET', path, ...given }, (response) => response),
  }
}

async function drop(response: Response): Promise<void> {
  await response.body?.cancel()
}

async function readAnswer<A>(response: Response, answer: AnswerReader<A>): Promise<A> {
  const text = await response.text()
  try {
    return answer.parse(readJson(text, { what: 'answer', depthMax: answerDepthMax }))
  } catch (cause) {
    throw new ClientError("The server's answer is not as agreed: are both of one version?", {
      status: response.status,
      error_code: 'invalid_answer',
      request_id: response.headers.get('x-request-id') ?? undefined,
      cause,
    })
  }
}
