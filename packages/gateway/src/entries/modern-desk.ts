import type { Clock } from '@dataagent/guard'
import { toCanonicalJson } from '@dataagent/hub'
import type { PeerMessage, Peers } from '../peers/index.ts'
import {
  type Caller,
  type Exchange,
  type Reply,
  type RpcRequest,
  rpcCodes,
  toFaultReply,
} from '../protocol/index.ts'
import type { Envelope } from './classify.ts'
import { createModernRuns, type TurnEnd, type TurnWay } from './modern-runs.ts'
import type { RequestStates } from './request-state.ts'

export interface ModernDeskOptions {
  respond(caller: Caller, request: RpcRequest, exchange: Exchange): Promise<Reply>
  states: RequestStates
  peers: Pick<Peers, 'name' | 'ask' | 'on'>
  clock: Clock
}

const kind = 'resume'

/** Serves requests of the revisions without a handshake. */
export function createModernDesk({ respond, states, peers, clock }: ModernDeskOptions) {
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
  async function resume(caller: Caller, request: RpcRequest, way: TurnWay) {
    const { requestState, inputResponses } = request.params ?? {}
    const bound = toBound(caller, request)
    const state = typeof requestState === 'string' ? states.open(requestState, bound) : undefined
    if (state === undefined) return undefined
    const { owner, run_id, round } = state
    const answer = await peers.ask(
      owner,
      { kind, answered: { run_id, round, bound, inputResponses } },
      { onPart: (part) => way.send(String(part)), signal: way.signal },
    )
    const end = answer?.value as TurnEnd | undefined
    return end && { owner, end }
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
      if (request.params?.requestState === undefined) {
        const end = await begin(caller, request, envelope, way)
        return toReply(caller, request, end, peers.name)
      }
      const resumed = await resume(caller, request, way)
      if (resumed === undefined) return toFaultReply(rpcCodes.params, noSuchState)
      return toReply(caller, request, resumed.end, resumed.owner)
    },
    close: runs.close,
  }
}

const noSuchState =
  'The requestState is not valid (any more): it was used, has expired or is for another request. Send the request again without it.'

/** Who asks for what: the answers to its questions are good for the same request alone. */
function toBound(caller: Caller, { method, params = {} }: RpcRequest): string {
  const { _meta, requestState, inputResponses, ...asked } = params
  const { principal, group_id, group_made_at, owner_key } = caller
  const owner = [principal.tenant_id, group_id, group_made_at, owner_key]
  return toCanonicalJson([...owner, method, asked])
}
