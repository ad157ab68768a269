import { createMasker } from '@dataagent/guard'
import { connectKv, createMemoryKv, createRedisKv } from '@dataagent/store/kv'
import { openSql } from '@dataagent/store/sql'
import { createApprovals } from './approvals.ts'
import type { ApprovalAsk, ApprovalRow } from './contract.ts'
import { anAsk, aUser, useNewest, yes } from './test-approvals.ts'

// A process of its own for tests: `test-approvals-process.ts DATABASE [REDIS PREFIX]` does what it
// is asked over IPC, with the KV of that Redis, or that of its parent, or none that it shares.

export interface Tasks {
  ask(args: ApprovalAsk['args']): Promise<ApprovalRow>
  /** Asks without end, and says of each when it is stored. */
  askForEver(prefix: string): Promise<void>
  /** Uses the newest without end, and says of each that it has. */
  useForEver(): Promise<void>
  /** Waits for each; when it was told of its approval, on the clock that all processes share. */
  wait(approval_ids: string[]): Promise<number[]>
  /** Decides one after another; when each was given. */
  decide(approval_ids: string[]): Promise<number[]>
  /** How many of `times` parallel uses of each call succeeded. */
  use(calls: [approval_id: string, args: ApprovalAsk['args']][], times: number): Promise<number[]>
}

const [url = '', redisUrl, prefix] = process.argv.slice(2)
const store = openSql({ url })
const approvals = createApprovals({
  rows: store.hub.approvals,
  kv: openKv(),
  masker: createMasker(),
})
approvals.start()

function openKv() {
  if (redisUrl === 'none') return createMemoryKv()
  if (redisUrl && prefix) return createRedisKv({ url: redisUrl, prefix })
  return connectKv({ parent: process })
}

const tasks: Tasks = {
  ask: async (args) => (await approvals.request(anAsk({ args }))).row,

  async askForEver(prefix) {
    for (let n = 0; ; n++) {
      const args = { order: `${prefix}-${n}` }
      const { row } = await approvals.request(anAsk({ args }))
      process.send?.({ asked: row })
    }
  },

  async useForEver() {
    for (;;) for await (const used of useNewest(approvals)) process.send?.({ used })
  },

  wait: (approval_ids) =>
    Promise.all(
      approval_ids.map(async (id) => {
        const { decision } = await approvals.wait('t1', id)
        return decision === 'approve' ? now() : Number.NaN
      }),
    ),

  async decide(approval_ids) {
    const given: number[] = []
    for (const id of approval_ids) {
      given.push(now())
      await approvals.decide(aUser('ana'), id, yes)
    }
    return given
  },

  use: (calls, times) =>
    Promise.all(
      calls.map(async ([approval_id, args]) => {
        const call = anAsk({ args })
        const uses = Array.from({ length: times }, () => approvals.use('t1', approval_id, call))
        return (await Promise.all(uses)).filter(Boolean).length
      }),
    ),
}

/** One clock for all processes of a machine. */
function now(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000
}

process.on('message', async (message: { ask?: number; task: keyof Tasks; args: never[] }) => {
  if (message.ask === undefined) return
  const task = tasks[message.task] as (...args: never[]) => Promise<unknown>
  process.send?.({ answer: message.ask, value: await task(...message.args) })
})
process.once('disconnect', () => process.exit())
