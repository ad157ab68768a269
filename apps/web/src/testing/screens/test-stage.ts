import type { Client } from '@dataagent/client'
import type { DataRow } from '@dataagent/schema'
import { lastUserText, type RecordedRequest, toolRounds, waitFor } from '@dataagent/testkit'
import { addShop, answeredTurn, barsByRegion, byRegion } from '../test-data.ts'
import { fillLog } from '../test-log.ts'
import { startTestMcpServer, type TestTool } from '../test-mcp-server.ts'
import { startSite, type TestSite } from '../test-site.ts'

/** A small company's installation, with something to see on every page. */
export interface Stage extends AsyncDisposable {
  site: TestSite
  /** A chat with calls and a table; one that waits for an answer; one about data. */
  sessions: { answered: string; waiting: string; data: string }
  serverId: string
  groupId: string
  /** A set of questions, and a run of it beside an earlier one. */
  evaluation: { datasetId: string; runId: string }
}

const rows = [
  { order: 'A-1001', region: '华东', amount: 1280.5, paid: true },
  { order: 'A-1002', region: '华北', amount: 86, paid: true },
  { order: 'A-1003', region: '华南', amount: 412.25, paid: false },
]
const orderId = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }

const tools: TestTool[] = [
  {
    name: 'list_orders',
    description: 'Orders of the last days, with region and amount.',
    inputSchema: { type: 'object', properties: { days: { type: 'integer', default: 7 } } },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: () => ({ orders: rows }),
  },
  {
    name: 'get_order',
    description: 'One order by its number.',
    inputSchema: orderId,
    annotations: { readOnlyHint: true, openWorldHint: false },
    run: () => rows[0],
  },
  {
    name: 'cancel_order',
    description: 'Cancels an order for good.',
    inputSchema: orderId,
    annotations: { destructiveHint: true, openWorldHint: false },
    run: ({ id }) => ({ cancelled: id }),
  },
]

const answer = `Three orders came in this week, **1,778.75** in all.

| Region | Amount |
|---|---:|
| 华东 | 1,280.50 |
| 华南 | 412.25 |
| 华北 | 86.00 |

A-1003 is not paid yet.`

/** Of the questions about districts it answers more the second time. */
function knows(number: number): boolean {
  return number % 5 > 0
}

const regions = ['华东', '华北', '华南', 'West', 'Centre', 'Islands']
const asked = Array.from({ length: 36 }, (_, at) => ({
  question_id: `district-${at + 1}`,
  question: `What did district ${at + 1} in ${regions[at % 6]} sell last week?`,
  expected_keywords: at % 9 === 8 ? ['4,040'] : ['1,280.50'],
  ...{ category: regions[at % 6]!, difficulty: at % 3 === 0 ? 'hard' : 'easy' },
  tags: at % 4 === 0 ? ['month end'] : [],
}))

/** Asks the same questions twice. */
async function evaluate({ evaluations }: Client): Promise<Stage['evaluation']> {
  const body = { name: 'Shop questions', questions: asked }
  const { dataset_id } = await evaluations.createDataset(body)
  const runOf = async (baseline_run_id: string | null) => {
    const { run_id } = await evaluations.start({ dataset_id, baseline_run_id })
    await waitFor(async () => (await evaluations.run(run_id)).state === 'done', {
      timeoutMs: 60_000,
    })
    return run_id
  }
  return { datasetId: dataset_id, runId: await runOf(await runOf(null)) }
}

const toDataAnswer = ([region, sales, orders]: DataRow) =>
  `${region} sold most: **${sales}** in October, with ${orders} orders [q1].

That is about 12 % more than expected.`

/** A chat whose answer is drawn from a query. */
async function askData(site: TestSite): Promise<string> {
  const source = await addShop(site)
  const { sessions, data } = site.clientOf('ana')
  const { session_id } = await sessions.create({ title: 'Sales by region' })
  const query = await data.run({ source, sql: byRegion, purpose: 'Sales by region', session_id })
  const answer = toDataAnswer(query.rows[0]!)
  const from = answer.indexOf('12 %')
  const cited = { from: answer.indexOf('[q1]'), text: '[q1]' }
  const citations = {
    cited: [{ ...cited, to: cited.from + 4, ref: 'q1', query_id: query.query_id }],
    ...{ dangling: [], uncovered: [{ from, to: from + 4, text: '12 %' }] },
  }
  const queries = [{ query, chart: barsByRegion }]
  const turn = { question: 'What did each region sell in October?', queries, citations }
  await fillLog(site, session_id, answeredTurn({ ...turn, answer }))
  return session_id
}

function reply(request: RecordedRequest) {
  const text = lastUserText(request)
  const first = toolRounds(request) === 0
  const call = (tool: string, args: Record<string, unknown>) => {
    const offered = request.tools.find(({ name }) => name.includes(tool))
    return { toolCalls: [{ name: offered?.name ?? tool, arguments: args }] }
  }
  if (/orders/.test(text)) return first ? call('list_orders', { days: 7 }) : { text: answer }
  if (/district/.test(text)) return { text: knows(request.number) ? answer : 'I cannot tell.' }
  if (/Cancel/.test(text)) {
    return first ? call('cancel_order', { id: 'A-1003' }) : { text: 'A-1003 is cancelled.' }
  }
  return { text: `You said: ${text}` }
}

export async function startStage(): Promise<Stage> {
  await using cleanup = new AsyncDisposableStack()
  const mall = cleanup.use(await startTestMcpServer(tools))
  const site = cleanup.use(
    await startSite({ script: reply, env: { DATAAGENT_MULTI_TENANT: 'true' } }),
  )
  const [admin, user] = [site.clientOf('ada'), site.clientOf('ana')]
  const { server_id } = await admin.servers.create({
    config: { name: 'mall', url: mall.url, trigger_keywords: ['order', '订单'] },
  })
  await admin.servers.create({ config: { name: 'warehouse', url: 'http://127.0.0.1:9/mcp' } })
  await waitFor(async () => (await admin.tools.list({ server_id })).total === tools.length)
  const { group } = await admin.toolGroups.create({
    ...{ group_id: 'front-desk', name: 'Front desk' },
    tools: [{ server_id, tool: '*' }],
  })
  const answered = await user.chat.send({ message: 'Which orders came in this week?' })
  const { session_id: waiting } = await user.sessions.create()
  const socket = cleanup.use(user.connect(waiting))
  socket.send('Cancel A-1003, it was never paid')
  await waitFor(async () => (await user.approvals.list({ status: 'pending' })).approvals.length > 0)
  const evaluation = await evaluate(user)
  const data = await askData(site)
  await user.files.write('outputs/week.md', answer)
  const moved = cleanup.move()
  return {
    ...{ site, serverId: server_id, groupId: group.group_id, evaluation },
    sessions: { answered: answered.session_id, waiting, data },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
