import { createMasker } from '@dataagent/guard'
import { createMemoryKv } from '@dataagent/store/kv'
import { describeSql } from '@dataagent/store/sql/describe-sql'
import { createFakeClock, longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Principal } from '../principal.ts'
import { createApprovals } from './approvals.ts'
import type { ApprovalAsk, Approvals, BoundCall } from './contract.ts'
import { anAsk, aUser, no, yes } from './test-approvals.ts'

/** Cases on each database. */
const cases = longCount(60, 33_400)

const approvers = { ana: aUser('ana'), eve: aUser('eve', { role: 'admin' }) }

const forgers: Record<string, Principal> = {
  stranger: aUser('bo'),
  agent: aUser('ana', { agent_id: 'helper' }),
  client: aUser('ana', { group_id: 'g1' }),
  machine: { tenant_id: 't1', user_id: null, role: 'admin' },
  neighbour: aUser('ana', { tenant_id: 't2', role: 'admin' }),
}

const mutations: Record<string, (call: ApprovalAsk) => Partial<BoundCall>> = {
  args: ({ args }) => ({ args: { ...args, amount: 1e6 } }),
  definition: () => ({ definition_hash: 'd2' }),
  tool: () => ({ tool: { server_id: 'mall', name: 'refund_all' } }),
  caller: () => ({ principal: aUser('bo') }),
  agent: () => ({ principal: aUser('ana', { agent_id: 'helper' }) }),
}

type Attempt =
  | { kind: 'decide'; by: keyof typeof approvers; decision: typeof yes | typeof no }
  | { kind: 'forge'; by: string; decision: { type: string; message: string } }
  | { kind: 'use' }
  | { kind: 'misuse'; mutation: string }
  | { kind: 'withdraw' | 'expire' }

const attempt: fc.Arbitrary<Attempt> = fc.oneof(
  fc.record({
    kind: fc.constant('decide'),
    by: fc.constantFrom('ana' as const, 'eve' as const),
    decision: fc.constantFrom(yes, yes, no),
  }),
  fc.record({
    kind: fc.constant('forge'),
    by: fc.constantFrom(...Object.keys(forgers), 'ana'),
    decision: fc.constantFrom(yes, { type: 'APPROVE', message: '' }, { type: 'edit', message: '' }),
  }),
  fc.constant<Attempt>({ kind: 'use' }),
  fc.record({
    kind: fc.constant('misuse'),
    mutation: fc.constantFrom(...Object.keys(mutations)),
  }),
  fc.constantFrom<Attempt>({ kind: 'withdraw' }, { kind: 'expire' }),
)

interface Processes {
  all: Approvals[]
  /** One whose clock is past every expiry. */
  late: Approvals
}

await describeSql('racing decisions', (subject) => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())

  /** Three processes with connections of their own, and one whose clock runs ahead. */
  function open(): Processes {
    const kv = stack.use(createMemoryKv())
    const masker = createMasker()
    const clock = createFakeClock()
    const ahead = createFakeClock({ now: clock.now() + 400_000 })
    const stores = [subject().store, subject().open(), subject().open()]
    const means = stores.map(({ hub }) => ({ rows: hub.approvals, kv, masker, clock }))
    const all = means.map((each) => stack.use(createApprovals(each)))
    return { all, late: stack.use(createApprovals({ ...means[0]!, clock: ahead })) }
  }

  test(
    `${cases} races of real, forged and mutated ones: at most one use, by what was approved [T40, T41]`,
    async () => {
      const processes = open()
      const counts = { decided: 0, used: 0 }
      const holds = async (attempts: Attempt[]) => {
        const { decided, used } = await race(processes, attempts)
        counts.decided += decided
        counts.used += used
      }
      const attempts = fc.array(attempt, { minLength: 4, maxLength: 24 })
      await fc.assert(fc.asyncProperty(attempts, holds), { numRuns: cases })
      expect(counts.used).toBeGreaterThan(0)
      const { decided, used } = counts
      console.info(`${subject().kind}: ${cases} races, ${decided} decided, ${used} used, 0 wrongly`)
    },
    60_000 + cases * 200,
  )
})

async function race({ all, late }: Processes, attempts: Attempt[]) {
  const ask = anAsk()
  const [first] = all as [Approvals, ...Approvals[]]
  const { row } = await first.request(ask)
  const { approval_id } = row
  const won = await Promise.all(
    attempts.map((each, n) => tryOne(all[n % all.length]!, late, { ask, approval_id }, each)),
  )
  const count = (kind: Attempt['kind']) =>
    won.filter((isWon, n) => isWon && attempts[n]?.kind === kind).length
  const [decided, used] = [count('decide'), count('use')]
  expect({ forged: count('forge'), misused: count('misuse') }).toEqual({ forged: 0, misused: 0 })
  expect(decided).toBeLessThanOrEqual(1)
  const ended = await first.get(approvers.eve, approval_id)
  const isApproved = ended.status === 'decided' && ended.decision.type === 'approve'
  const lastly = await Promise.all(all.map((each) => each.use('t1', approval_id, ask)))
  expect(used + lastly.filter(Boolean).length).toBe(isApproved ? 1 : 0)
  if (isApproved) {
    const winner = won.findIndex((isWon, n) => isWon && attempts[n]?.kind === 'decide')
    expect(attempts[winner]).toMatchObject({ decision: yes, by: ended.decided_by })
    expect(ended.via).toBe('person')
  }
  // A caller has so many pending at a time.
  await first.withdraw('t1', approval_id)
  return { decided, used: isApproved ? 1 : 0 }
}

/** Whether the attempt had its effect. */
async function tryOne(
  approvals: Approvals,
  late: Approvals,
  { ask, approval_id }: { ask: ApprovalAsk; approval_id: string },
  attempt: Attempt,
): Promise<boolean> {
  switch (attempt.kind) {
    case 'use':
      return approvals.use('t1', approval_id, ask)
    case 'misuse': {
      const call = { ...ask, ...mutations[attempt.mutation]?.(ask) }
      return approvals.use('t1', approval_id, call)
    }
    case 'decide':
      return isDone(approvals.decide(approvers[attempt.by], approval_id, attempt.decision))
    case 'forge': {
      if (attempt.by === 'ana' && attempt.decision === yes) return false
      const by = forgers[attempt.by] ?? approvers.ana
      return isDone(approvals.decide(by, approval_id, attempt.decision as never))
    }
    case 'withdraw':
      return isDone(approvals.withdraw('t1', approval_id))
    case 'expire':
      return isDone(late.get(approvers.ana, approval_id))
  }
}

const refusals = ['conflict', 'forbidden', 'not_found', 'invalid_request']

async function isDone(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    expect(refusals).toContain((error as { code?: string }).code)
    return false
  }
}
