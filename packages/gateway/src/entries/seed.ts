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
import { clientOf } from './client-facts.ts'
import type { Admission, Admit, Visit } from './contract.ts'
import { readBody } from './read-body.ts'
import { bearerOf, sendChallenge, sendFault, sendNothing, sendText, toChallenge } from './send.ts'
import { toAnswerText } from './write-reply.ts'

export interface SeedOptions {
  admit: Admit
  limits: GatewayLimits
  /** A token of a session without a grant; the name is that of clients that give none. */
  openToken(session: NewSession, keyName: string): Promise<string>
  oauth: Pick<OAuthServer, 'beginForSeed'>
  respond(caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply>
  /** Opens the stream on which this endpoint can be spoken to as well. */
  openStream(caller: Caller, visit: Visit): void
  openToStranger(visit: Visit): void
  /** Whether that stream opens before authorisation. */
  isOpen: boolean
  /** What `initialize` says of the server. */
  introduce(caller: Caller | undefined): Record<string, unknown>
  version: string
  publicUrl(): string
  body: { maxBytes: number; withinMs: number }
}

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
    const { principal, group_id, group_name, quota_key, scopes } = caller
    const session: NewSession = {
      ...{ group_id, group_name, client: clientOf(request, caller), scopes, profile: 'seed' },
      ...{ tenant_id: principal.tenant_id, user_id: principal.user_id, key_id: quota_key },
      ...{ client_id: null, resource: null, grant_id: null },
    }
    return openToken(session, caller.client)
  }

  async function answer(caller: Caller, shown: Shown, visit: Visit): Promise<Reply> {
    if (shown.request.method === 'initialize') return initialize(caller, shown)
    const leaving = new AbortController()
    visit.response.on('close', () => leaving.abort())
    if (visit.response.destroyed) leaving.abort()
    return respond(
      { ...caller, profile: 'seed' },
      shown.request,
      toExchange(version, leaving.signal),
    )
  }

  async function post(visit: Visit): Promise<void> {
    const { request, response, endpoint } = visit
    const incoming = parseIncoming(await readBody(request, options.body))
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
    finish(shown, await answer(admission.caller, shown, visit), visit)
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

/** Never a bare status: a client of the profile reads the body alone. */
function finish({ request }: Shown, reply: Reply, { response }: Visit): void {
  sendText(response, 200, { text: toAnswerText(request.id, reply) })
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
