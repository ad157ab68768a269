import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '@dataagent/guard'
import { type Hub, type Kv, platformTenant } from '@dataagent/hub'
import type { GroupNames, Groups } from '../groups/index.ts'
import { networkOf } from '../http/index.ts'
import type { GatewayLimits } from '../limits/index.ts'
import type { OAuthServer } from '../oauth/index.ts'
import { endpointPaths } from '../paths.ts'
import type { Peers } from '../peers/index.ts'
import {
  type Caller,
  createRespond,
  type Reply,
  type RpcRequest,
  toLimited,
} from '../protocol/index.ts'
import type { Tokens } from '../tokens/index.ts'
import { createAdmit } from './admit.ts'
import { createAnswers } from './answers.ts'
import { createCallerStreams, sendTooMany } from './caller-streams.ts'
import type { Endpoint, Visit } from './contract.ts'
import { createGetStream } from './get-stream.ts'
import { createKeyTokens } from './key-tokens.ts'
import { createLegacyDesk } from './legacy-desk.ts'
import { createListen } from './listen.ts'
import { createModernDesk } from './modern-desk.ts'
import { createNews } from './news.ts'
import { createOpenCounts } from './open-counts.ts'
import { createOutlet } from './outlet.ts'
import { createParamHeaderCheck } from './param-headers.ts'
import { createRequestStates } from './request-state.ts'
import { createRequestWatch } from './request-watch.ts'
import { createSealed } from './sealed.ts'
import { createSeed } from './seed.ts'
import { createSse } from './sse.ts'
import { createSseSessions } from './sse-sessions.ts'
import { createIsTakenBack, createStillHolds } from './still-holds.ts'
import { createStreamWatch } from './stream-watch.ts'
import { createStreamable } from './streamable.ts'
import { createStreamableLegacy } from './streamable-legacy.ts'
import { createSubscribing } from './subscribing.ts'
import { createTransportSessions } from './transport-sessions.ts'
import { createUnderWay } from './under-way.ts'

/** Streams that one network may have open before it is known who it is. */
const maxStrangers = 8
/** Messages of one network that are read at once before it is known whose they are. */
const maxUnknown = 64

export interface EntriesOptions {
  hub: Hub
  kv: Kv
  tokens: Tokens
  groups: Groups
  names: GroupNames
  limits: GatewayLimits
  oauth: OAuthServer
  peers: Peers
  key: Uint8Array
  clock: Clock
  serverInfo: { name: string; title?: string; version: string }
  /** What the JSON-RPC profile calls itself and speaks. */
  seed: { name: string; version: string; protocolVersion: string; isOpen: boolean }
  holdMs: number
  body: { maxBytes: number; withinMs: number }
  publicUrl(): string
  ipOf(request: IncomingMessage): string
  onInternal(error: unknown, reference: string): void
}

/** The ways in, over one responder. */
export function createEntries(options: EntriesOptions) {
  const { hub, tokens, groups, names, limits, oauth, peers, clock, publicUrl, body } = options
  const responder = createRespond(options)
  const { respond, introduction, toolsText, ownersOf } = responder
  const admit = createAdmit({ tokens, groups, publicUrl })
  const stillHolds = createStillHolds(admit)
  const isTakenBack = createIsTakenBack({ stillHolds, tokens, groups, clock })
  const watch = createStreamWatch({ groups, tokens })
  const watchRequest = createRequestWatch({ watch, isTakenBack })
  const underWay = createUnderWay(peers)
  const strangers = createOpenCounts(maxStrangers)
  const unknown = createOpenCounts(maxUnknown)
  const streams = createCallerStreams()
  const subscribing = createSubscribing(limits)
  const answers = createAnswers({ peers, clock })
  const desk = createLegacyDesk({ respond, answers, underWay, limits })
  const news = createNews({ hub, groups, clock, toolsOf: toolsText, ownersOf })
  const sessions = createTransportSessions({ kv: options.kv, peers, clock })
  const states = createRequestStates(options.key, clock)
  const modern = createModernDesk({ respond, states, limits, peers, clock })
  const listen = createListen({
    ...{ news, stillHolds, limits, streams, publicUrl },
    capabilitiesOf: introduction.capabilitiesFor,
  })

  async function initialize(caller: Caller, request: RpcRequest): Promise<Reply> {
    const verdict = await limits.take(caller, request)
    if (verdict.status === 'limited') return toLimited(verdict.retryAfterMs)
    return { kind: 'result', result: introduction.initialize(caller, request.params) }
  }

  const streamable = createStreamable({
    ...{ admit, watchRequest, modern, listen, publicUrl, body },
    legacy: createStreamableLegacy({
      ...{ desk, sessions, initialize, subscribing, publicUrl },
      onInternal: options.onInternal,
      createOutlet: ({ request, response, leaving: { signal } }, session_id) =>
        createOutlet({
          ...{ request, response, signal, clock },
          headers: session_id === undefined ? undefined : { 'mcp-session-id': session_id },
        }),
    }),
    getStream: createGetStream({
      ...{ sessions, limits, news, stillHolds, streams, watch, publicUrl, clock },
    }),
    createOutlet: ({ request, response, leaving: { signal } }) =>
      createOutlet({ request, response, signal, clock }),
    checkParamHeaders: createParamHeaderCheck(schemaOf),
  })
  const seed = createSeed({
    ...{ admit, watchRequest, limits, oauth, respond, publicUrl, body },
    openToken: createKeyTokens({ tokens, clock }),
    version: options.seed.protocolVersion,
    isOpen: options.seed.isOpen,
    openStream: (caller, visit) => sse.open(caller, visit),
    openToStranger,
    enterUnknown: ({ request }) => unknown.enter(networkOf(options.ipOf(request))),
    introduce: (caller) => ({
      protocolVersion: options.seed.protocolVersion,
      capabilities: caller ? introduction.capabilitiesFor(caller) : { tools: {} },
      serverInfo: { name: options.seed.name, version: options.seed.version },
    }),
  })
  const sse = createSse({
    ...{ admit, desk, news, stillHolds, isTakenBack, subscribing, streams, initialize },
    ...{ watch, watchRequest, publicUrl, body, clock },
    sessions: createSseSessions({ peers }),
    sealed: createSealed(options.key, 'mcp letters'),
    isOpen: ({ path }) => options.seed.isOpen && path === endpointPaths.seed,
    hashOf: tokens.hashOf,
    onInternal: options.onInternal,
    invite: seed.invite,
  })

  /** A stream before anyone was let in: few for each network. */
  function openToStranger(visit: Visit): void {
    const { request, response } = visit
    if (response.destroyed) return
    const leave = strangers.enter(networkOf(options.ipOf(request)))
    if (leave === undefined) {
      return void sendTooMany(response, 'Too many streams that nobody was let in on.')
    }
    response.on('close', leave)
    sse.open(undefined, visit, leave)
  }

  function schemaOf({ principal, group_id }: Caller, name: string): object | undefined {
    const ref = names.refOf(group_id, name)
    if (ref === undefined) return undefined
    const { catalogue } = hub
    const entry = catalogue.get(principal.tenant_id, ref) ?? catalogue.get(platformTenant, ref)
    return entry?.tool.definition.inputSchema
  }

  const byKind: Record<Endpoint['kind'], (visit: Visit) => Promise<void>> = {
    streamable,
    sse: sse.serve,
    messages: sse.serve,
    seed: seed.serve,
  }

  return {
    serve(
      request: IncomingMessage,
      response: ServerResponse,
      at: Pick<Visit, 'endpoint' | 'query'>,
    ): Promise<void> {
      const leaving = new AbortController()
      response.on('close', () => {
        if (!response.writableFinished) leaving.abort()
      })
      if (response.destroyed) leaving.abort()
      return byKind[at.endpoint.kind]({ request, response, leaving, ...at })
    },
    /** Ends streams on which clients only listen, and others once they are answered. */
    stop() {
      listen.close()
      streams.stop()
    },
    close() {
      responder.close()
      watch.close()
      news.close()
      modern.close()
    },
  }
}
