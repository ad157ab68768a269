// A day at the clinic: find a customer, look at them, plan, note what was agreed. All nine tools.
import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallContext } from '@dataagent/hub'
import { admin, startClinic } from './src/server.ts'

await using folder = await mkdtempDisposable(join(tmpdir(), 'clinic-story-'))
await using clinic = await startClinic({ folder: folder.path })
const { hub, database, allowList } = clinic
const group = { kind: 'group', id: 'reception' } as const
await hub.policy.setAllowList(admin, group, allowList)

const context: CallContext = {
  principal: { tenant_id: 'clinic', user_id: 'ada', role: 'user', group_id: group.id },
  source: 'sdk',
  approver: { kind: 'nobody' },
}

async function call(tool: string, args: Record<string, unknown>) {
  const outcome = await hub.callTool(context, { tool, args })
  assert(outcome.status === 'ok', `${tool}: ${JSON.stringify(outcome)}`)
  return outcome.result.raw.structuredContent as never
}

const tools = hub.listTools(context)
assert.equal(tools.length, 9)
assert.equal(new Set(tools.map(({ own }) => own?.category)).size, 5)

const found: { users: { user_id: string; name: string }[] } = await call('search_users', {
  role: 'customer',
  city: '上海',
})
const customer_id = found.users[0]!.user_id
const profile: { name: string; customer: object } = await call('get_user_profile', {
  user_id: customer_id,
})
console.log(profile.name, profile.customer)

const analysis: { segment: string; findings: object[] } = await call('analyze_customer', {
  customer_id,
})
console.log(analysis.segment, analysis.findings)
await call('get_customer_preferences', { customer_id })

const plan: { items: { service_id: string; sessions: number }[]; total_yuan: number } = await call(
  'generate_treatment_plan',
  { customer_id, budget_yuan: 20_000 },
)
console.log(plan.items, plan.total_yuan)
assert(plan.items.length > 0 && plan.total_yuan <= 20_000)
const items = plan.items.map(({ service_id, sessions }) => ({ service_id, sessions }))
const better: { after: { total_yuan: number }; changes: object[] } = await call('optimize_plan', {
  customer_id,
  items,
  goal: 'cost',
  budget_yuan: 20_000,
})
assert(better.after.total_yuan <= plan.total_yuan)
await call('get_service_info', { service_id: items[0]!.service_id })

const history: { consultations: { consultation_id: string }[] } = await call(
  'get_consultation_history',
  { customer_id },
)
const { consultation_id } = history.consultations[0]!
await call('create_consultation_summary', { consultation_id, summary: '客户接受新方案。' })
const rows = database.prepare('SELECT * FROM consultation_summaries').all()
assert.equal(rows.length, 1)
assert.equal(rows[0]?.written_by, 'ada')

// Someone who does not exist is a clear failure, and nothing is made up.
const nobody = await hub.callTool(context, {
  tool: 'analyze_customer',
  args: { customer_id: 'U9' },
})
assert(nobody.status === 'failed' && nobody.error.code === 'not_found')
console.log(nobody.error.message)
