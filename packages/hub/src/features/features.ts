import { AppError } from '@dataagent/schema'
import { type CallMeans, type CallTool, createCallTool } from '../call/index.ts'
import { toUpstreamKey, type UpstreamCall, type Upstreams } from '../upstreams/index.ts'
import type { FeatureOutcome, Features } from './contract.ts'
import { createMethodJudge, type JudgeMeans, type MethodJudge } from './judge-method.ts'
import { createInstructionsReader, listServers } from './list-servers.ts'
import { findMethod, type Method, pickParams } from './methods.ts'

export interface FeaturesMeans extends Pick<JudgeMeans, 'snapshotOf'> {
  /** How a tool is called: a method is, too. */
  call: CallMeans
  servers: JudgeMeans['servers']
  upstreams: Pick<Upstreams, 'ask' | 'subscribe' | 'setLevel' | 'describe' | 'onNotice'>
}

/** Makes what is no tool of servers usable under the same policy. */
export function createFeatures(means: FeaturesMeans): Features {
  const { upstreams, servers, snapshotOf } = means
  const judge = createMethodJudge({ policy: means.call.policy, servers, snapshotOf })
  const asks = createAsks(means, judge)
  const readInstructions = createInstructionsReader()

  return {
    list: (context) => listServers(context, { judge, upstreams, readInstructions }),
    async ask(context, { server_id, method: name, params }) {
      const method = findMethod(name)
      const args = method && pickParams(method, params)
      const ask = asks[method?.weight ?? 'none']
      return toFeatureOutcome(await ask(context, { tool: { server_id, name }, args }))
    },
    async subscribe(context, { server_id, uri }) {
      const found = judge.resolve(context, { server_id, name: 'resources/subscribe' })
      const isAllowed = found.status === 'found' && found.entry.offer.status === 'offered'
      const { tool } = (isAllowed ? found.entry : undefined) ?? {}
      const server = judge.visible(context).find((one) => isOf(one, tool))
      if (server === undefined) throw notAllowed(server_id)
      const key = toUpstreamKey(server, context.principal.user_id)
      return await upstreams.subscribe(key, uri, { signal: context.signal })
    },
    onNotice: (handler) => upstreams.onNotice(handler),
  }
}

type Place = { tenant_id: string; server_id: string }

function isOf(server: Place, tool: Place | undefined): boolean {
  return tool?.server_id === server.server_id && tool.tenant_id === server.tenant_id
}

/** The way of a tool's call, for methods of each weight. */
function createAsks(
  { call, upstreams }: FeaturesMeans,
  { resolve }: MethodJudge,
): Record<Method['weight'], CallTool> {
  const recorded: CallMeans = {
    ...call,
    asksMethods: true,
    policy: { ...call.policy, resolve },
    results: { fit: (_, raw) => ({ text: '', raw }) },
    upstreams: { ...call.upstreams, call: (key, sent) => send(upstreams, key, sent) },
  }
  const limited = { ...recorded, audit: { begin: async () => undefined, record() {} } }
  const unlimited = { ...limited, policy: { ...recorded.policy, limitsFor: () => [] } }
  return {
    recorded: createCallTool(recorded),
    limited: createCallTool(limited),
    none: createCallTool({ ...unlimited, slots: noSlots }),
  }
}

/** What costs servers little stands in no tool's way. */
const noSlots: CallMeans['slots'] = {
  take: () => ({ release() {} }),
  acquire: () => ({ release() {} }),
  acquireAgain: () => ({ release() {} }),
  ...{ running: 0, waiting: 0 },
}

async function send(
  upstreams: FeaturesMeans['upstreams'],
  ...[key, sent]: Parameters<Upstreams['call']>
): ReturnType<Upstreams['call']> {
  if (sent.tool !== 'logging/setLevel') {
    return (await upstreams.ask(key, sent)) as Awaited<ReturnType<Upstreams['call']>>
  }
  sent.check?.()
  await upstreams.setLevel(key, levelOf(sent), { signal: sent.options.signal })
  return { result: {} as never, attempts: 1 }
}

function levelOf({ args }: UpstreamCall): string {
  return args.level as string
}

function toFeatureOutcome(outcome: Awaited<ReturnType<CallTool>>): FeatureOutcome {
  const { call_id, trace_id, duration_ms } = outcome
  const base = { call_id, trace_id, duration_ms }
  if (outcome.status !== 'ok') return { ...base, status: outcome.status, error: outcome.error }
  return { ...base, status: 'ok', result: outcome.result.raw as Record<string, unknown> }
}

function notAllowed(server_id: string): AppError {
  const message = `There are no resources of "${server_id}" that may be subscribed to here.`
  return new AppError('tool_not_allowed', message)
}
