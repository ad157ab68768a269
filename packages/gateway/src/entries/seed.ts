import { AppError, isAppError } from '@dataagent/schema/base'
import type { GatewayLimits } from '../limits/index.ts'
import type { OAuthServer } from '../oauth/index.ts'
import {
  type Caller,
  type Exchange,
  parseIncoming,
  type Reply,
  type RpcRequest,
  rpcCodes,
  toFaultReply,
  toLimited,
} from '../protocol/index.ts'
import type { NewSession } from '../tokens/index.ts'
import { prefixes } from '../tokens/index.ts'
import { sendTooMany } from './caller-streams.ts'
import { clientOf } from './client-facts.ts'
import type { Admission, Admit, Visit } from './contract.ts'
import { readBody } from './read-body.ts'
import { isCutOff, type WatchRequest } from './request-watch.ts'
import { bearerOf, sendChallenge, sendFault, sendNothing, sendText, toChallenge } from './send.ts'
import { toAnswerText, toReplyHeaders } from './write-reply.ts'

export interface SeedOptions {
  admit: Admit
  watchRequest: WatchRequest
  limits: GatewayLimits
  /** A token of a session without a grant; the name is that of clients that give none. */
  openToken(session: NewSession, keyName: string): Promise<string>
  oauth: Pick<OAuthServer, 'beginForSeed'>
  respond(caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply>
  /** Opens the stream on which this endpoint can be spoken to as well. */
  openStream(caller: Caller, visit: Visit): void
  openToStranger(visit: Visit): void
  /** Undefined where too many are read of that network; else to be called when it was read. */
  enterUnknown(visit: Visit): (() => void) | undefined
  /** Whether that stream opens before authorisation. */
  isOpen: boolean
  /** What `initialize` says of the server. */
  introduce(caller: Caller | undefined): Record<string, unknown>
  version: string
  publicUrl(): string
  body: { maxBytes: number; withinMs: number }
}

/** Of one whose header lets nobody in: the credential may be in the body. */
const unknownBytes = 64 * 1024
const tooLarge =
  'A message with its credential in the parameters has at most 64 KiB. Send the credential in the Authorization header: Bearer …'

/** The credentials that the profile carries in parameters; taken out before anything else looks. */
interface Shown {
  request: RpcRequest
  /** Undefined where none is shown; `conflict` where two differ. */
  credential: string | undefined
  conflict: boolean
}

/** The JSON-RPC endpoint of the source document: each answer in the body of its POST. */
export function createSeed(options: SeedOptions) {
  const { admit, openToken, oauth, respond, introduce, version, publicUrl } = options

  /** Told in the words of the profile, with a status that other clients understand. */
  async function refuse(
    { request }: Shown,
    admission: Exclude<Admission, { status: 'ok' }>,
    visit: Visit,
  ): Promise<void> {
    const isMissing = admission.status === 'missing'
    const headers = toChallenge(visit, publicUrl(), isMissing ? undefined : 'invalid_token')
    const reply = await toRefusal(request, isMissing)
    sendText(visit.response, 401, { text: toAnswerText(request.id, reply), headers })
  }

  async function toRefusal(request: RpcRequest, isMissing: boolean): Promise<Reply> {
    if (request.method !== 'initialize') {
      return toFaultReply(rpcCodes.params, 'Authentication required')
    }
    const invitation = await invite(request, isMissing)
    return { kind: 'result', result: { ...introduce(undefined), ...invitation } }
  }

  async function invite(request: RpcRequest, isMissing = true) {
    const { codeChallenge } = request.params ?? {}
    const begun = await oauth.beginForSeed({
      client: clientOf(request, { client: 'MCP client' }),
      code_challenge: typeof codeChallenge === 'string' ? codeChallenge : undefined,
    })
    return { status: isMissing ? 'authorization_required' : 'reauthorization_required', ...begun }
  }

  async function initialize(caller: Caller, { request, credential }: Shown): Promise<Reply> {
    const verdict = await options.limits.take(caller, request)
    if (verdict.status === 'limited') return toLimited(verdict.retryAfterMs)
    const isToken = credential?.startsWith(prefixes.session)
    const sessionToken = isToken ? credential : await exchange(caller, request)
    const { group_name } = caller
    const result = { ...introduce(caller), status: 'success', sessionToken, group_name }
    return { kind: 'result', result }
  }

  /** A key becomes a token that lives for a while. */
  async function exchange(caller: Caller, request: RpcRequest): Promise<string> {
    const { principal, group_id, group_name, key_id, scopes } = caller
    const session: NewSession = {
      ...{ group_id, group_name, client: clientOf(request, caller), scopes, key_id },
      ...{ tenant_id: principal.tenant_id, user_id: principal.user_id, user_key_id: null },
      ...{ client_id: null, resource: null, grant_id: null },
    }
    return openToken(session, caller.client)
  }

  async function answer(caller: Caller, shown: Shown, visit: Visit): Promise<Reply> {
    if (shown.request.method === 'initialize') return initialize(caller, shown)
    const { signal } = visit.leaving
    return respond({ ...caller, profile: 'seed' }, shown.request, toExchange(version, signal))
  }

  /** A client of the profile reads the body alone, and a 429 hangs Dify. */
  function finish({ request }: Shown, reply: Reply, visit: Visit): void {
    const isForbidden = reply.kind === 'error' && reply.status === 403
    const headers = isForbidden ? toReplyHeaders(reply, visit, publicUrl()) : undefined
    const text = toAnswerText(request.id, reply)
    sendText(visit.response, isForbidden ? 403 : 200, { text, headers })
  }

  /** Undefined where it was answered. */
  async function read(visit: Visit): Promise<string | undefined> {
    const { request, response, endpoint } = visit
    const admission = await admit(bearerOf(request.headers.authorization), endpoint)
    if (admission.status === 'ok') return readBody(request, options.body)
    const leave = options.enterUnknown(visit)
    if (leave === undefined) {
      return void sendTooMany(response, 'Too many messages whose header lets nobody in.')
    }
    try {
      const maxBytes = Math.min(unknownBytes, options.body.maxBytes)
      return await readBody(request, { ...options.body, maxBytes })
    } catch (cause) {
      if (!isAppError(cause, 'too_large')) throw cause
      if (admission.status === 'missing') throw new AppError('too_large', tooLarge, { cause })
      sendChallenge(visit, admission, publicUrl())
    } finally {
      leave()
    }
  }

  async function post(visit: Visit): Promise<void> {
    const { request, response, endpoint } = visit
    const text = await read(visit)
    if (text === undefined) return
    const incoming = parseIncoming(text)
    if (incoming.batch) {
      return sendFault(response, 200, { code: rpcCodes.request, message: 'Send one message.' })
    }
    const { message } = incoming
    if (message.kind === 'broken') return sendFault(response, 200, message.error)
    if (message.kind !== 'request') return sendNothing(response, 202)
    const shown = takeShown(message.message, bearerOf(request.headers.authorization))
    if (shown.conflict) {
      const text = 'The token of the header and that of the parameters differ.'
      return finish(shown, toFaultReply(rpcCodes.params, text), visit)
    }
    const admission = await admit(shown.credential, endpoint)
    if (admission.status !== 'ok') return refuse(shown, admission, visit)
    options.watchRequest(visit, { caller: admission.caller, credential: shown.credential })
    const reply = await answer(admission.caller, shown, visit)
    if (isCutOff(visit.leaving.signal)) return refuse(shown, { status: 'invalid' }, visit)
    finish(shown, reply, visit)
  }

  async function serve(visit: Visit): Promise<void> {
    const { request, response, endpoint } = visit
    if (request.method === 'POST') return post(visit)
    const wantsStream = (request.headers.accept ?? '').includes('text/event-stream')
    if (request.method !== 'GET' || !wantsStream) {
      return sendNothing(response, 405, { allow: 'GET, POST' })
    }
    const admission = await admit(bearerOf(request.headers.authorization), endpoint)
    if (admission.status === 'ok') return options.openStream(admission.caller, visit)
    if (admission.status === 'missing' && options.isOpen) {
      return options.openToStranger(visit)
    }
    sendChallenge(visit, admission, publicUrl())
  }

  return { serve, invite }
}

function takeShown(request: RpcRequest, header: string | undefined): Shown {
  const { sessionToken, apiKey, ...params } = request.params ?? {}
  const given = [header, sessionToken, apiKey].filter(
    (one) => typeof one === 'string' && one !== '',
  )
  return {
    request: { ...request, params },
    credential: given[0] as string | undefined,
    conflict: new Set(given).size > 1,
  }
}

/** A body holds one answer: nothing can be told or asked meanwhile. */
function toExchange(version: string, signal: AbortSignal): Exchange {
  return {
    ...{ era: 'legacy', version, capabilities: {}, logLevel: undefined },
    signal,
    notify: () => {},
    ask: () => Promise.reject(new Error('The client cannot be asked.')),
  }
}
