import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import type { Principal } from '../principal.ts'
import { createTestWorld, everything } from './test-world.ts'

const caller: Principal = { tenant_id: 't1', user_id: 'ana', role: 'user', agent_id: 'a' }
const admin: Principal = { tenant_id: 't1', user_id: 'adam', role: 'admin' }

/** A caller with a list and a few rules of its own among `others` of other users. */
async function setUp(others: number, tools: number) {
  const world = createTestWorld({ defaultAllow: everything })
  const entries = []
  for (let n = 0; n < tools; n++) {
    const server_id = `s${n % 20}`
    const server = world.servers.get('t1', server_id) ?? world.servers.add({ server_id })
    entries.push(world.catalogue.add(server, `tool_${n}`))
  }
  const fields = { tenant_id: 't1', tier: 'user', trusts: [], session_id: null } as const
  const rest = { expires_at: null, note: '', created_at: 1, created_by: null }
  for (let n = 0; n < others; n++) {
    const subject = { kind: 'user', id: `user-${n % 10_000}` } as const
    const scope = { server_id: n % 3 ? `s${n % 20}` : '*', tool: n % 2 ? `tool_${n}` : 'tool_*' }
    await world.rows.putRule({
      ...fields,
      ...rest,
      subject,
      ...scope,
      rule_id: `${n}`,
      effect: 'ask',
    })
  }
  await world.policy.reload()
  const subject = { kind: 'agent', id: 'a' } as const
  await world.policy.setAllowList(admin, subject, [{ server_id: '*', tool: 'tool_*' }])
  const own = { tier: 'tenant', subject, server_id: '*', effect: 'allow' } as const
  for (const tool of ['tool_1*', 'tool_2', 'x*'])
    await world.policy.addRule(admin, { ...own, tool })
  return { ...world, entries, subject }
}

/** Microseconds of this thread's CPU a call: what else runs on the machine does not count. */
function cost(calls: number, work: (n: number) => unknown): number {
  for (let n = 0; n < calls / 4; n++) work(n)
  const before = process.threadCpuUsage()
  for (let n = 0; n < calls; n++) work(n)
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / calls
}

test('what a decision costs does not grow with the rules of others', async () => {
  const costs = []
  for (const others of [10, 1_000, longCount(5_000, 100_000)]) {
    const { policy, entries } = await setUp(others, 100)
    const context = { principal: caller }
    const warm = cost(100_000, (n) => policy.decide(context, entries[n % 100]!))
    const explained = cost(10_000, (n) => policy.explain(context, entries[n % 100]!))
    const resolved = cost(20_000, (n) => policy.resolve(context, `s${n % 20}.tool_${n % 100}`))
    costs.push({ others, warm, explained, resolved })
  }
  console.info(costs.map((each) => JSON.stringify(each)).join('\n'))
  const [few, , many] = costs
  expect(many!.warm).toBeLessThan(few!.warm * 2 + 1)
  expect(many!.explained).toBeLessThan(few!.explained * 3 + 5)
})

test('1,000 tools are listed in milliseconds, and at once when nothing has changed', async () => {
  const costs = []
  for (const tools of [10, 100, 1_000, 10_000]) {
    const { policy, subject } = await setUp(1_000, tools)
    const context = { principal: caller }
    const again = () => policy.setAllowList(admin, subject, [{ server_id: '*', tool: 'tool_*' }])
    let first = 0
    for (let round = 0; round < 7; round++) {
      await again()
      const before = process.threadCpuUsage()
      policy.list(context)
      const { user, system } = process.threadCpuUsage(before)
      first += (user + system) / 7
    }
    expect(policy.list(context)).toHaveLength(tools)
    costs.push({ tools, first, same: cost(10_000, () => policy.list(context)) })
  }
  console.info(costs.map((each) => JSON.stringify(each)).join('\n'))
  expect(costs[2]!.first).toBeLessThan(100_000)
  expect(costs[3]!.same).toBeLessThan(1_000)
})
