import type { CallContext, ToolOutcome } from '@dataagent/hub'
import { temporaryDirectory } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { all } from '../database/index.ts'
import { admin, startClinic } from '../server.ts'

const context: CallContext = {
  principal: { tenant_id: 'clinic', user_id: 'ada', role: 'user', group_id: 'reception' },
  source: 'sdk',
  approver: { kind: 'nobody' },
}

let cleanup: AsyncDisposableStack
let clinic: Awaited<ReturnType<typeof startClinic>>
/** What the model adds; a test may make it fail. */
let enrich: () => Promise<string>

beforeAll(async () => {
  cleanup = new AsyncDisposableStack()
  const { path } = cleanup.use(await temporaryDirectory())
  clinic = cleanup.use(await startClinic({ folder: path, enrich: () => enrich() }))
  const group = { kind: 'group', id: 'reception' } as const
  await clinic.hub.policy.setAllowList(admin, group, clinic.allowList)
  enrich = async () => '模型的补充'
})
afterAll(() => cleanup.disposeAsync())

function call(tool: string, args: Record<string, unknown>): Promise<ToolOutcome> {
  return clinic.hub.callTool(context, { tool, args })
}

/** The structured answer, which is what the text says too. */
async function answer(tool: string, args: Record<string, unknown>) {
  const outcome = await call(tool, args)
  if (outcome.status !== 'ok') throw new Error(`${tool}: ${JSON.stringify(outcome.error)}`)
  const { structuredContent } = outcome.result.raw
  expect(JSON.parse(outcome.result.text)).toEqual(structuredContent)
  return structuredContent as Record<string, unknown>
}

const rows = (sql: string) => all<Record<string, unknown>>(clinic.database, sql)
const generated = { basis: { as_of: '2026-06-30', note: expect.stringContaining('演示') } }

test('there are nine tools in five categories, and nothing else [E8.1] [E8.2]', () => {
  const tools = clinic.hub.listTools(context)
  const byCategory = Object.groupBy(tools, ({ own }) => own?.category ?? 'none')
  const names = Object.entries(byCategory).map(([category, own]) => [
    category,
    own?.map(({ tool }) => tool.name).sort(),
  ])
  expect(Object.fromEntries(names)).toEqual({
    user: ['get_user_profile', 'search_users'],
    customer: ['analyze_customer', 'get_customer_preferences'],
    consultation: ['create_consultation_summary', 'get_consultation_history'],
    treatment: ['generate_treatment_plan', 'optimize_plan'],
    projects: ['get_service_info'],
  })
})

describe('each of the nine tools on real rows [E8.1]', () => {
  test('get_user_profile', async () => {
    const profile = await answer('get_user_profile', { user_id: 'U0042' })
    const [user] = rows(
      "SELECT * FROM users JOIN customers USING (user_id) WHERE user_id = 'U0042'",
    )
    const { name, phone, city, skin_type, budget_yuan } = user!
    const customer = { skin_type, budget_yuan }
    expect(profile).toMatchObject({ name, phone, city, customer, ...generated })
    expect(await answer('get_user_profile', { user_id: 'U9001' })).toMatchObject({
      role: 'consultant',
      customer: null,
    })
  })

  test('search_users', async () => {
    const query = { keyword: '王', city: '上海', role: 'customer', limit: 2 }
    const { total, users } = await answer('search_users', query)
    const found = rows(
      "SELECT * FROM users WHERE name LIKE '%王%' AND city = '上海' AND role = 'customer' ORDER BY user_id",
    )
    expect(total).toBe(found.length)
    expect(users).toEqual(found.slice(0, 2))
    expect(await answer('search_users', { keyword: '%' })).toMatchObject({ total: 0 })
    expect(await answer('search_users', {})).toMatchObject({ total: 332 })
  })

  test('analyze_customer', async () => {
    const analysis = await answer('analyze_customer', { customer_id: 'U0042', months: 24 })
    const [sum] = rows(
      "SELECT count(*) AS n, sum(paid_yuan) AS paid FROM treatments WHERE user_id = 'U0042'",
    )
    expect(analysis).toMatchObject({ treatments: sum!.n, spent_yuan: sum!.paid ?? 0, ...generated })
    expect(analysis.enrichment).toEqual({ status: 'ok', text: '模型的补充' })
  })

  test('get_customer_preferences', async () => {
    const [most] = rows(
      'SELECT user_id, count(*) AS n FROM treatments GROUP BY user_id ORDER BY n DESC, user_id LIMIT 1',
    )
    const found = await answer('get_customer_preferences', { customer_id: most!.user_id, limit: 1 })
    const [channel] = rows(
      `SELECT channel AS value, count(*) AS count FROM consultations
       WHERE user_id = '${most!.user_id}' GROUP BY channel ORDER BY count DESC LIMIT 1`,
    )
    expect(found.channels).toMatchObject([{ count: channel!.count }])
  })

  test('create_consultation_summary adds a row each time; get_consultation_history shows it', async () => {
    const [row] = rows("SELECT * FROM consultations WHERE user_id = 'U0007' ORDER BY day DESC")
    const { consultation_id } = row!
    const next_steps = [{ action: '回访', due_on: '2026-07-15' }, { action: '寄资料' }]
    const fields = { consultation_id, summary: '想先做一次。', key_points: ['怕疼'], next_steps }
    const first = await answer('create_consultation_summary', fields)
    const second = await answer('create_consultation_summary', fields)
    expect(first).toMatchObject({ ...fields, written_by: 'ada' })
    expect(second.summary_id).not.toBe(first.summary_id)
    expect(first.basis).toMatchObject({ generated_tables: [], note: '' })
    expect(rows('SELECT count(*) AS n FROM consultation_summaries')).toEqual([{ n: 2 }])

    const history = await answer('get_consultation_history', { customer_id: 'U0007', limit: 1 })
    const { basis: _, ...own } = first
    expect(history.consultations).toMatchObject([
      { consultation_id, summaries: [own, { summary_id: second.summary_id }] },
    ])
    const query = { customer_id: 'U0007', include_summaries: false, since: String(row!.day) }
    expect((await answer('get_consultation_history', query)).consultations).toMatchObject([
      { consultation_id, summaries: [] },
    ])
  })

  test('generate_treatment_plan, and optimize_plan of it', async () => {
    const plan = await answer('generate_treatment_plan', {
      customer_id: 'U0042',
      concerns: ['痘痘', '敏感泛红'],
      budget_yuan: 30_000,
    })
    const { items } = plan as {
      items: { service_id: string; sessions: number; price_yuan: number }[]
    }
    expect(items.length).toBeGreaterThan(0)
    for (const { service_id, price_yuan } of items)
      expect(rows(`SELECT price_yuan FROM services WHERE service_id = '${service_id}'`)).toEqual([
        { price_yuan },
      ])
    expect(plan).toMatchObject({ budget_yuan: 30_000, ...generated })
    const wanted = items.map(({ service_id, sessions }) => ({ service_id, sessions }))
    const better = await answer('optimize_plan', { customer_id: 'U0042', items: wanted })
    expect(better).toMatchObject({ goal: 'cost', before: { total_yuan: plan.total_yuan } })
  })

  test('get_service_info', async () => {
    const { services } = await answer('get_service_info', { service_id: 'S02' })
    const [use] = rows("SELECT count(*) AS n FROM treatments WHERE service_id = 'S02'")
    expect(services).toMatchObject([{ name: '皮秒激光', use: { treatments: use!.n } }])
    expect(await answer('get_service_info', { category: '毛发' })).toMatchObject({ total: 2 })
    expect(await answer('get_service_info', { keyword: '脱发' })).toMatchObject({ total: 2 })
  })
})

describe('what does not fit', () => {
  test.each([
    ['get_user_profile', { user_id: 'U9999' }],
    ['analyze_customer', { customer_id: 'U9001' }],
    ['get_customer_preferences', { customer_id: 'nobody' }],
    ['get_consultation_history', { customer_id: 'U9999' }],
    ['create_consultation_summary', { consultation_id: 'C99999', summary: 'x' }],
    ['generate_treatment_plan', { customer_id: 'U9999' }],
    ['optimize_plan', { customer_id: 'U0001', items: [{ service_id: 'S99', sessions: 1 }] }],
    ['get_service_info', { service_id: 'S99' }],
  ])('%s of %j is a clear failure', async (tool, args) => {
    const id = Object.values(args).map((value) => (typeof value === 'string' ? value : 'S99'))
    const outcome = await call(tool, args)
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'not_found' } })
    const { message } = (outcome as { error: { message: string } }).error
    expect(id.some((one) => message.includes(one))).toBe(true)
  })

  test.each([
    ['get_user_profile', {}, 'user_id'],
    ['search_users', { limit: 1000 }, 'limit'],
    ['generate_treatment_plan', { customer_id: 'U0001', concerns: ['长高'] }, 'concerns[0]'],
    [
      'optimize_plan',
      { customer_id: 'U0001', items: [{ service_id: 'S01' }] },
      'items[0].sessions',
    ],
    ['create_consultation_summary', { consultation_id: 'C00001', summary: ' ' }, 'summary'],
  ])('%s with %j is refused, and %s named', async (tool, args, path) => {
    const outcome = await call(tool, args)
    expect(outcome).toMatchObject({ status: 'invalid', error: { errors: [{ path }] } })
  })

  test('a model that fails leaves what the rules found', async () => {
    const before = enrich
    enrich = () => Promise.reject(new Error('no model'))
    const analysis = await answer('analyze_customer', { customer_id: 'U0042' })
    enrich = before
    expect(analysis).toMatchObject({ enrichment: { status: 'failed', text: '' } })
    expect(analysis.findings).not.toEqual([])
  })
})
