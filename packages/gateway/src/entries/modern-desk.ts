import type { Clock } from '@dataagent/guard'
import { toCanonicalJson } from '@dataagent/hub'
import type { GatewayLimits } from '../limits/index.ts'
import type { PeerMessage, Peers } from '../peers/index.ts'
import {
  type Caller,
  type Exchange,
  type Reply,
  type RpcRequest,
  rpcCodes,
  toFaultReply,
  toLimited,
} from '../protocol/index.ts'
import type { Envelope } from './classify.ts'
import { createModernRuns, type TurnEnd, type TurnWay } from './modern-runs.ts'
import type { RequestStates } from './request-state.ts'

export interface ModernDeskOptions {
  respond(caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply>
  states: RequestStates
  limits: GatewayLimits
  peers: Pick<Peers, 'name' | 'ask' | 'on'>
  clock: Clock
}

const kind = 'resume'

/** Serves requests of the revisions without a handshake. */
export function createModernDesk(options: ModernDeskOptions) {
  const { respond, states, limits, peers, clock } = options
  const runs = createModernRuns({ clock })

  peers.on(kind, async ({ answered }: PeerMessage, { signal, tellPart }) => {
    const way = { signal, send: tellPart }
    return runs.resume(answered as Parameters<typeof runs.resume>[0], way)
  })

  async function begin(caller: Caller, request: RpcRequest, envelope: Envelope, way: TurnWay) {
    const { version, capabilities, logLevel } = envelope
    const inputResponses = request.params?.inputResponses
    const quota_key = `${caller.group_id} ${caller.quota_key}`
    const call = { bound: () => toBound(caller, request), quota_key, inputResponses }
    return runs.begin(call, way, (parts) =>
      respond(caller, request, {
        ...{ era: 'modern', version, capabilities, logLevel },
        ...parts,
      }),
    )
  }

  /** To the process that holds the call, which may be another. */
  async function resume(caller: Caller, request: RpcRequest, way: TurnWay): Promise<Reply> {
    // Whether a state is good shows there alone, and whatever comes with it goes there.
    const verdict = await limits.take(caller, request)
    if (verdict.status === 'limited') return toLimited(verdict.retryAfterMs)
    const { requestState, inputResponses } = request.params ?? {}
    const bound = toBound(caller, request)
    const state = typeof requestState === 'string' ? states.open(requestState, bound) : undefined
    if (state === undefined) return toFaultReply(rpcCodes.params, noSuchState)
    const { owner, run_id, round } = state
    const answer = await peers.ask(
      owner,
      { kind, answered: { run_id, round, bound, inputResponses } },
      { onPart: (part) => way.send(String(part), 'notice'), signal: way.signal },
    )
    const end = answer?.value as TurnEnd | undefined
    if (end === undefined) {
      return toFaultReply(rpcCodes.params, noSuchCall, { error_code: 'unknown_outcome' })
    }
    return toReply(caller, request, end, owner)
  }

  function toReply(caller: Caller, request: RpcRequest, end: TurnEnd, owner: string): Reply {
    if (end.kind === 'reply') return end.reply
    const { run_id, round, inputRequests } = end
    const requestState = states.seal({ owner, run_id, round }, toBound(caller, request))
    const result = { resultType: 'input_required', inputRequests, requestState }
    return { kind: 'result', result }
  }

  return {
    async serve(
      caller: Caller,
      request: RpcRequest,
      { envelope, way }: { envelope: Envelope; way: TurnWay },
    ): Promise<Reply> {
      if (request.params?.requestState !== undefined) return resume(caller, request, way)
      const end = await begin(caller, request, envelope, way)
      return toReply(caller, request, end, peers.name)
    },
    close: runs.close,
  }
}

const noSuchState =
  'The requestState was changed, is for another request or has expired. Send the request again without it; where it has expired, the call may have run.'
const noSuchCall =
  'The requestState was used, or the call that it belongs to is gone: that may have run. Look before you send the request again without it.'

/** Who asks for what: the answers to its questions are good for the same request alone. */
function toBound(caller: Caller, { method, params = {} }: RpcRequest): string {
  const { _meta, requestState, inputResponses, ...asked } = params
  const { principal, group_id, group_made_at, owner_key } = caller
  const owner = [principal.tenant_id, group_id, group_made_at, owner_key]
  return toCanonicalJson([...owner, method, asked])
}
