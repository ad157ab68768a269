import { type Mall, type MallOptions, startMall } from '@dataagent/example-mall'
import { createEgress } from '@dataagent/guard'
import {
  type OtlpReceiver,
  type ReceivedSpan,
  startOtlpReceiver,
  waitFor,
} from '@dataagent/testkit'
import type { CallRecord } from '../audit/index.ts'
import type { PendingTool } from '../catalogue/index.ts'
import type { Hub } from '../hub.ts'
import type { HubOptions } from '../hub-options.ts'
import type { ToolFault, ToolOutcome } from '../outcome.ts'
import type { AllowEntry } from '../policy/index.ts'
import { createTracer, type Tracer } from '../tracing/index.ts'
import { admin, everything, startTestHub, type TestHub, tenant_id } from './test-hub.ts'

export const getOrder = 'mall4j.order.get_detail'
export const cancelOrder = 'mall4j.order.cancel'
export const addNote = 'mall4j.order.add_note'
export const search = 'mall4j.product.search'
export const getProduct = 'mall4j.product.get'

/** A hub with one mall as an administrator's server, which the tenant is bound to. */
export interface MallHub extends TestHub {
  mall: Mall
  server_id: string
  receiver: OtlpReceiver
  /** The calls that reached the mall, as `tool`; then forgotten. */
  takeCalls(): Promise<string[]>
  /** The span of a call, once it has arrived. */
  spanOf(outcome: ToolOutcome): Promise<ReceivedSpan>
}

export interface MallHubOptions {
  mall?: MallOptions
  /** Fields of its configuration that are not as usual. */
  server?: Record<string, unknown>
  hub?: Partial<HubOptions>
  allow?: readonly AllowEntry[]
}

/** Starts both, with a receiver for the spans. */
export async function startMallHub(options: MallHubOptions = {}): Promise<MallHub> {
  const cleanup = new AsyncDisposableStack()
  const mall = cleanup.use(await startMall(options.mall))
  const receiver = cleanup.use(await startOtlpReceiver())
  const tracer = createTestTracer(receiver, cleanup)
  const test = cleanup.use(await startTestHub({ tracer, ...options.hub }))
  const tenant = { kind: 'tenant', id: '*' } as const
  await test.hub.policy.setAllowList(admin, tenant, options.allow ?? everything)
  const config = { name: 'mall', url: mall.url, transport: mall.kind, ...options.server }
  const register = options.server?.quarantine ? test.register : test.connect
  const { server_id } = await register(config)
  return {
    ...test,
    mall,
    server_id,
    receiver,
    async takeCalls() {
      const calls = await mall.calls()
      await mall.forgetCalls()
      return calls.map(({ tool }) => tool)
    },
    async spanOf({ call_id }) {
      await tracer.flush()
      return receiver.spans.find((span) => span.attributes['gen_ai.tool.call.id'] === call_id)!
    },
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

function createTestTracer({ url }: OtlpReceiver, cleanup: AsyncDisposableStack): Tracer {
  const egress = cleanup.use(createEgress({ policy: { mode: 'any' } }))
  return createTracer({ endpoint: url, egress, serviceName: 'hub' })
}

/** The audit row of a call, as the tenant's administrator reads it. */
export async function auditOf(hub: Hub, { call_id }: ToolOutcome): Promise<CallRecord> {
  await hub.audit.flush()
  const [row] = await hub.audit.query(admin, { call_id, limit: 1, offset: 0 })
  return row!
}

/** Why a call gave no result. */
export function faultOf(outcome: ToolOutcome): ToolFault {
  if ('error' in outcome) return outcome.error
  throw new Error(`It is ${outcome.status}.`)
}

/** The parts of an outcome that are not the same twice. */
export function withoutIds({ call_id, trace_id, duration_ms, ...outcome }: ToolOutcome) {
  return outcome
}

/** The definition of a tool that waits for an administrator, once it does. */
export function pendingOf({ hub }: MallHub, name: string): Promise<PendingTool> {
  const find = async () => {
    const waiting = await hub.catalogue.pending(tenant_id)
    return waiting.find(({ tool }) => tool.name === name)
  }
  return waitFor(find, { what: `${name} waits for approval` })
}

/** Takes over the definition of a tool that waits, once it does. */
export async function approveTool(rig: MallHub, name: string): Promise<void> {
  const { pending } = await pendingOf(rig, name)
  const { hub, server_id } = rig
  await hub.catalogue.approve(admin, { server_id, name }, pending.hash)
}
