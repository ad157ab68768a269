import { createEgress } from '@dataagent/guard'
import { readJson, type ServerConfigInput } from '@dataagent/schema'
import { createMemoryKv, createRedisKv } from '@dataagent/store/kv'
import { createKeyring, createVault } from '@dataagent/store/secrets'
import { openSql } from '@dataagent/store/sql'
import type { ToolCall } from '../call/index.ts'
import type { Approver, CallContext } from '../call-context.ts'
import { createHub } from '../hub.ts'
import type { ToolOutcome } from '../outcome.ts'
import type { Principal } from '../principal.ts'

// A process of its own for tests: a hub on the database, journal, key and KV that its argument
// names. It does what it is asked over IPC.

export interface ChildOptions {
  url: string
  journalDir: string
  /** 32 bytes, in hexadecimal: of the vault and of the installation. */
  key: string
  /** Default: a KV of this process alone. */
  redis?: { url: string; prefix: string }
}

export interface Tasks {
  register(by: Principal, config: ServerConfigInput): Promise<string>
  bind(
    by: Principal,
    agent_id: string,
    entries: { server_id: string; tool: string }[],
  ): Promise<number>
  call(principal: Principal, call: ToolCall, approver?: Approver): Promise<ToolOutcome>
  /** Begins a call, and answers without waiting for it. */
  begin(principal: Principal, call: ToolCall): Promise<void>
  listed(principal: Principal): Promise<string[]>
  /** Calls until the outcome is no longer ok; when that was, on the clock that all share. */
  untilRefused(principal: Principal, call: ToolCall): Promise<{ at: number; status: string }>
  pending(by: Principal): Promise<string[]>
  decide(by: Principal, approval_id: string, type: 'approve' | 'reject'): Promise<void>
  close(): Promise<void>
}

const options = readJson(process.argv[2] ?? '') as unknown as ChildOptions
const key = Buffer.from(options.key, 'hex')
const egress = createEgress({ policy: { mode: 'any' } })
const hub = createHub({
  store: openSql({ url: options.url }).hub,
  kv: options.redis ? createRedisKv(options.redis) : createMemoryKv(),
  vault: createVault({ keyring: createKeyring([key]) }),
  features: { featuresOf: () => ['*'] },
  egressFor: () => egress,
  journalDir: options.journalDir,
  key,
  settings: { defaultAllow: [{ server_id: '*', tool: '*' }] },
})
await hub.start()

const tasks: Tasks = {
  async register(by, config) {
    const { server_id } = await hub.servers.register(by, { scope: 'tenant', config })
    return server_id
  },
  async bind(by, id, entries) {
    await hub.policy.setAllowList(by, { kind: 'agent', id }, entries)
    return now()
  },
  call: (principal, call, approver) => hub.callTool(toContext(principal, approver), call),
  async begin(principal, call) {
    void hub.callTool(toContext(principal), call)
  },
  listed: async (principal) => hub.listTools({ principal }).map(({ sdk_name }) => sdk_name),
  async untilRefused(principal, call) {
    for (;;) {
      const { status } = await hub.callTool(toContext(principal), call)
      if (status !== 'ok') return { at: now(), status }
    }
  },
  async pending(by) {
    const asked = await hub.approvals.list(by, { status: 'pending', limit: 10, offset: 0 })
    return asked.map(({ approval_id }) => approval_id)
  },
  async decide(by, approval_id, type) {
    await hub.approvals.decide(by, approval_id, { type, message: 'as we said' })
  },
  close: () => hub.close(),
}

function toContext(principal: Principal, approver: Approver = { kind: 'nobody' }): CallContext {
  return { principal, source: 'agent', approver }
}

/** Milliseconds on one clock for all processes of a machine. */
function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}

process.on('message', async (message: { ask?: number; task: keyof Tasks; args: never[] }) => {
  if (message.ask === undefined) return
  const task = tasks[message.task] as (...args: never[]) => Promise<unknown>
  try {
    process.send?.({ answer: message.ask, value: await task(...message.args) })
  } catch (error) {
    process.send?.({ answer: message.ask, failed: String(error) })
  }
})
process.once('disconnect', () => process.exit())
process.send?.({ answer: 0 })
