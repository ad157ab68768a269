import { type Clock, createEgress } from '@dataagent/guard'
import { createMemoryKv } from '@dataagent/store/kv'
import { waitFor } from '@dataagent/testkit'
import type { Observed } from '../catalogue/index.ts'
import type { UpstreamCall, UpstreamHealth, UpstreamKey, Upstreams } from './contract.ts'
import type { UpstreamsOptions } from './options.ts'
import { createTestServers, type TestServers } from './test-servers.ts'
import { createUpstreams } from './upstreams.ts'

/** Upstreams with all that they told. */
export interface Rig extends AsyncDisposable {
  upstreams: Upstreams
  servers: TestServers
  observed: { server_id: string; seen: Observed; at: number }[]
  healths: UpstreamHealth[]
  log: string[]
  /** The names of the tools that a server offers now; undefined while it cannot be reached. */
  offered(server_id: string): string[] | undefined
  /** Waits until the server offers its tools, or no longer does. */
  untilOffered(server_id: string, timeoutMs?: number): Promise<void>
  untilWithdrawn(server_id: string, timeoutMs?: number): Promise<void>
  /** The text of a tool's answer. */
  say(server_id: string, text: string, call?: Partial<UpstreamCall>): Promise<string>
}

export type RigOptions = Partial<UpstreamsOptions> & { servers?: TestServers; clock?: Clock }

export function createRig(options: RigOptions = {}): Rig {
  const stack = new AsyncDisposableStack()
  const { servers = createTestServers() } = options
  const egress = createEgress({ policy: { mode: 'any' } })
  stack.use(egress)
  const observed: Rig['observed'] = []
  const healths: UpstreamHealth[] = []
  const log: string[] = []
  const kv = options.kv ?? stack.use(createMemoryKv())
  const upstreams = createUpstreams({
    observe: async ({ server_id }, seen) => {
      observed.push({ server_id, seen, at: performance.now() })
    },
    egressFor: () => egress,
    kv,
    owner: 'test',
    onLog: ({ text }) => log.push(text),
    ...options,
    servers,
  })
  stack.use(upstreams)
  upstreams.onHealth((health) => healths.push(health))

  function offered(server_id: string): string[] | undefined {
    const last = observed.findLast((one) => one.server_id === server_id)?.seen
    if (last?.status !== 'offers') return undefined
    return [...last.tools].map((tool) => (tool as { name: string }).name)
  }

  return {
    ...{ upstreams, servers, observed, healths, log, offered },
    async untilOffered(server_id, timeoutMs = 10_000) {
      const what = `${server_id} is offered`
      await waitFor(() => offered(server_id) !== undefined, { timeoutMs, what, intervalMs: 2 })
    },
    async untilWithdrawn(server_id, timeoutMs = 10_000) {
      const what = `${server_id} is withdrawn`
      await waitFor(() => offered(server_id) === undefined, { timeoutMs, what, intervalMs: 2 })
    },
    async say(server_id, text, call) {
      const { result } = await upstreams.call(keyOf(server_id), echo(text, call))
      return toText(result)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export function keyOf(server_id: string, user_id: string | null = null): UpstreamKey {
  return { tenant_id: 'acme', server_id, user_id }
}

/** A call of `echo`, once, within 5 s. */
export function echo(text: string, call: Partial<UpstreamCall> = {}): UpstreamCall {
  const base = { tool: 'echo', args: { message: text }, deadlineMs: 5_000 }
  return { ...base, idempotent: false, maxRetries: 0, options: {}, ...call }
}

export function toText(result: { content: readonly unknown[] }): string {
  const [part] = result.content as { text?: string }[]
  return part?.text ?? JSON.stringify(result.content)
}
