import { type Mall, startMall } from '@dataagent/example-mall'
import { waitFor } from '@dataagent/testkit'
import type { ToolCall } from '../call/index.ts'
import type { CallContext } from '../call-context.ts'
import type { HubOptions } from '../hub-options.ts'
import type { ToolOutcome } from '../outcome.ts'
import { admin, everything, startTestHub, type TestHub, toContext } from './test-hub.ts'
import { addNote, cancelOrder, getOrder, searchProducts } from './test-mall-words.ts'

/** The trace of the turn that all calls belong to. */
export const trace = {
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  parent: '00f067aa0ba902b7',
}

export interface EveryStatus extends AsyncDisposable {
  test: TestHub
  mall: Mall
  /** By the status that the row has. */
  outcomes: ReadonlyMap<string, ToolOutcome>
}

const stock = { tool: 'mall4j.stock.check', args: { productId: 'product-001' } }
const report = { tool: 'mall4j.report.sales', args: { by: 'region' } }

/** Makes one call for each way in which a call can end while its process lives. */
export async function callsOfEveryStatus(options: Partial<HubOptions> = {}): Promise<EveryStatus> {
  const cleanup = new AsyncDisposableStack()
  const delay = { [stock.tool]: 60_000, [addNote.tool]: 60_000 }
  const mall = cleanup.use(await startMall({ delay }))
  const away = cleanup.use(await startMall({ tools: [report.tool] }))
  const settings = { defaultAllow: everything, ...options.settings }
  const test = cleanup.use(await startTestHub({ ...options, settings }))
  await connectBoth(test, mall, away)
  const outcomes = await makeCalls(test, mall)
  return { test, mall, outcomes, [Symbol.asyncDispose]: () => cleanup.disposeAsync() }
}

async function connectBoth({ hub, connect, offered }: TestHub, mall: Mall, away: Mall) {
  const toolTimeouts = { [stock.tool]: 0.3 }
  const remote = { transport: 'sse', maxRetries: 0 } as const
  await connect({ name: 'mall', url: mall.url, ...remote, toolTimeouts })
  await connect({ name: 'away', url: away.url, ...remote })
  await away.close()
  await offered('away', false)
  const tools = [getOrder, addNote, cancelOrder, stock].map(({ tool }) => tool)
  const entries = [...tools, 'mall4j.order.list'].map((tool) => ({ server_id: 'mall', tool }))
  const bound = [...entries, { server_id: 'away', tool: '*' }]
  await hub.policy.setAllowList(admin, { kind: 'agent', id: 'a' }, bound)
  await hub.policy.addLimit(admin, {
    ...{ subject: { kind: 'agent', id: 'a' }, server_id: 'mall', tool: 'mall4j.order.list' },
    ...{ max_calls: 0, window_ms: 60_000 },
  })
}

async function makeCalls({ hub }: TestHub, mall: Mall): Promise<Map<string, ToolOutcome>> {
  const make = (call: ToolCall, more?: Partial<CallContext>) => hub.callTool(contextOf(more), call)
  const leaving = new AbortController()
  const cancelled = make(addNote, { signal: leaving.signal })
  await waitFor(async () => (await mall.calls(addNote.tool)).length === 1)
  leaving.abort()
  await cancelled
  const ended = new Map<string, ToolOutcome>([
    ['cancelled', await cancelled],
    ['ok', await make(getOrder)],
    ['error', await make({ ...getOrder, args: { orderId: 'order-9999' } })],
    ['timeout', await make(stock)],
    ['denied', await make(searchProducts)],
    ['invalid', await make({ ...getOrder, args: {} })],
    ['limited', await make({ tool: 'mall4j.order.list' })],
    ['rejected', await rejected(hub, make)],
    ['unavailable', await make({ tool: { server_id: 'away', name: report.tool } })],
  ])
  const cut = make(addNote)
  await waitFor(async () => (await mall.calls(addNote.tool)).length === 2)
  await mall.dropStreams()
  return ended.set('unknown_outcome', await cut)
}

async function rejected(
  hub: TestHub['hub'],
  make: (call: ToolCall, more: Partial<CallContext>) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const asked = Promise.withResolvers<string>()
  const call = make(cancelOrder, {
    approver: { kind: 'wait' },
    emit: (event) => 'approval_id' in event && asked.resolve(String(event.approval_id)),
  })
  await hub.approvals.decide(admin, await asked.promise, { type: 'reject', message: 'not today' })
  return call
}

function contextOf(more: Partial<CallContext> = {}): CallContext {
  return toContext(
    { agent_id: 'a' },
    {
      session_id: 's1',
      run: { run_id: 'r1', untrusted: new Set() },
      trace: { traceparent: `00-${trace.trace_id}-${trace.parent}-01` },
      ...more,
    },
  )
}
