import { metaKeys } from '@dataagent/mcp'
import { isPlainObject } from '@dataagent/schema/base'
import type { GatewayLimits } from '../limits/index.ts'
import {
  type Caller,
  type Reply,
  type RpcRequest,
  rpcCodes,
  toFaultReply,
  toLimited,
} from '../protocol/index.ts'
import type { CallerStreams } from './caller-streams.ts'
import type { Visit } from './contract.ts'
import type { News, Wants } from './news.ts'
import type { Outlet } from './outlet.ts'
import { bearerOf } from './send.ts'
import type { StillHolds } from './still-holds.ts'
import { longestUri, maxSubscriptions } from './subscribing.ts'
import { toAnswerText, toReplyHeaders } from './write-reply.ts'

export interface ListenOptions {
  news: News
  stillHolds: StillHolds
  limits: GatewayLimits
  streams: CallerStreams
  capabilitiesOf(caller: Caller): Record<string, unknown>
  publicUrl(): string
}

interface Listener {
  outlet: Outlet
  visit: Visit
}

interface Filter {
  toolsListChanged?: true
  promptsListChanged?: true
  resourcesListChanged?: true
  resourceSubscriptions?: string[]
}

/** `subscriptions/listen`: a stream of the changes that the client asked for, until it leaves. */
export function createListen(options: ListenOptions) {
  const { news, stillHolds, limits, streams, capabilitiesOf } = options
  const open = new Set<() => void>()

  async function serve(caller: Caller, request: RpcRequest, to: Listener): Promise<void> {
    const asked = request.params?.notifications
    const { outlet, visit } = to
    if (!isPlainObject(asked) || !outlet.canStream) return outlet.end(toRefusal(request))
    const verdict = await limits.take(caller, request)
    if (verdict.status === 'limited') return refuse(request, verdict.retryAfterMs, to)
    if (streams.enter(caller, visit.response)) begin(caller, request, asked, to)
  }

  function refuse({ id }: RpcRequest, retryAfterMs: number, { outlet, visit }: Listener): void {
    const reply = toLimited(retryAfterMs)
    const headers = toReplyHeaders(reply, visit, options.publicUrl())
    outlet.end(toAnswerText(id, reply), { status: 429, headers })
  }

  function begin(
    caller: Caller,
    request: RpcRequest,
    asked: Record<string, unknown>,
    { outlet, visit }: Listener,
  ): void {
    const shown = bearerOf(visit.request.headers.authorization)
    const filter = toFilter(asked, capabilitiesOf(caller))
    const _meta = { [metaKeys.subscriptionId]: request.id }
    const tell = (method: string, params: Record<string, unknown>) =>
      outlet.send(JSON.stringify({ jsonrpc: '2.0', method, params: { ...params, _meta } }))
    tell('notifications/subscriptions/acknowledged', { notifications: filter })
    const finish = () =>
      outlet.end(
        toAnswerText(request.id, { kind: 'result', result: { resultType: 'complete', _meta } }),
      )
    if (Object.keys(filter).length === 0) return void finish()
    const whileItHolds = async (go: () => void) =>
      (await stillHolds(shown, visit.endpoint)) ? go() : stop()
    const listening = news.listen(caller, toWants(filter), (method, params) => {
      void whileItHolds(() => tell(method, params))
    })
    const stop = () => {
      if (!open.delete(stop)) return
      listening.end()
      finish()
    }
    open.add(stop)
    outlet.onBeat(() => void whileItHolds(() => {}))
    outlet.signal.addEventListener('abort', stop, { once: true })
    if (outlet.signal.aborted) stop()
  }

  return {
    serve,
    /** Says to all that it is over. */
    close() {
      for (const stop of [...open]) stop()
    },
  }
}

/** Of what was asked for, that which the servers of the group can tell. */
function toFilter(asked: Record<string, unknown>, capabilities: Record<string, unknown>): Filter {
  const has = (name: string) => Object.hasOwn(capabilities, name)
  const uris = asked.resourceSubscriptions
  const filter: Filter = {}
  if (asked.toolsListChanged === true) filter.toolsListChanged = true
  if (asked.promptsListChanged === true && has('prompts')) filter.promptsListChanged = true
  if (asked.resourcesListChanged === true && has('resources')) filter.resourcesListChanged = true
  if (Array.isArray(uris) && has('resources')) {
    filter.resourceSubscriptions = uris.filter(isUri).slice(0, maxSubscriptions)
  }
  return filter
}

function isUri(uri: unknown): uri is string {
  return typeof uri === 'string' && uri.length <= longestUri
}

function toWants(filter: Filter): Wants {
  return {
    tools: filter.toolsListChanged,
    prompts: filter.promptsListChanged,
    resources: filter.resourcesListChanged,
    uris: filter.resourceSubscriptions,
  }
}

function toRefusal({ id }: RpcRequest): string {
  const message = 'subscriptions/listen needs params.notifications, and takes a stream as answer.'
  const reply: Reply = toFaultReply(rpcCodes.params, message)
  return toAnswerText(id, reply)
}
