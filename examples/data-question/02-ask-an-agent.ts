// The same of an agent: a person asks in their own words, and sees what the answer rests on.
import assert from 'node:assert/strict'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isClientError } from '@dataagent/client'
import { toTextChart } from '@dataagent/data/charts'
import { openServer } from '@dataagent/example-server'
import {
  type ChartSpec,
  type CitationsEvent,
  isKnownEvent,
  type QueryResult,
} from '@dataagent/schema'

await using folder = await mkdtempDisposable(join(tmpdir(), 'till-'))
const path = join(folder.path, 'till.sqlite')
using till = new DatabaseSync(path)
till.exec(`
  CREATE TABLE sales (month TEXT, shop TEXT, amount REAL);
  INSERT INTO sales VALUES
    ('2026-01', 'Harbour', 1200), ('2026-01', 'Station', 800), ('2026-01', 'Market', 950),
    ('2026-02', 'Harbour', 1350), ('2026-02', 'Station', 760), ('2026-02', 'Market', 1010);
`)

// Who has the machine says which data may be asked, and how one question is rightly answered.
await using server = await openServer()
const owner = server.clientOf('owner')
const location = { kind: 'sqlite', path } as const
const { source_id } = await owner.data.createSource({ name: 'till', location })
await owner.data.putQuestion('by-shop', {
  ...{ source_id, question: 'Sales by shop', also: ['What did each shop sell?'] },
  sql: 'SELECT shop, sum(amount) AS amount FROM sales GROUP BY shop ORDER BY amount DESC',
  verified: true,
})

// Somebody asks. The demo model, which needs no key, knows verified questions by rules.
const ada = server.clientOf('ada')
const { session_id } = await ada.sessions.create()
const queries = new Map<string, QueryResult>()
const charts: string[] = []
let reply = ''
let citations: CitationsEvent | undefined
for await (const event of ada.chat.stream({ session_id, message: 'What did each shop sell?' })) {
  if (!isKnownEvent(event)) continue
  if (event.event_type === 'text') reply += event.content
  // What is said before a call is not the answer yet.
  if (event.event_type === 'tool_call') reply = ''
  if (event.event_type === 'citations') citations = event
  if (event.event_type !== 'result_block') continue
  const { block } = event
  if (block.kind === 'query') queries.set(block.query.ref, block.query)
  if (block.kind === 'chart') charts.push(drawChart(block.ref, block.chart))
}
console.log(`${charts.join('\n')}\n\n${reply}\n`)
assert.equal(charts.length, 1)
assert.match(charts[0] ?? '', /Harbour .*2,550/)
assert.match(reply, /Harbour \| 2550/)

// The platform has looked at every number of the reply: each is one that a query gave.
assert(citations)
for (const { ref } of citations.cited) console.log(`[${ref}] ${queries.get(ref)?.sql}`)
assert.deepEqual(
  citations.cited.map(({ ref }) => ref),
  ['q1'],
)
assert.deepEqual([citations.dangling, citations.uncovered], [[], []])
assert.equal(queries.get('q1')?.verified_question_id, 'by-shop')

// All rows of a query can be had as a file.
const query_id = queries.get('q1')?.query_id ?? ''
const csv = await (await ada.data.export(query_id, { format: 'csv' })).text()
assert.equal(csv.trim().split(/\r?\n/).length, 4)

// To ask is all that can be done: of a statement that writes nothing is run.
const writes = ada.data.run({ source: 'till', sql: 'DELETE FROM sales' })
await assert.rejects(writes, (error) => isClientError(error) && error.status < 500)
assert.equal(till.prepare('SELECT count(*) AS rows FROM sales').get()?.rows, 6)

function drawChart(ref: string, chart: ChartSpec): string {
  const { columns, rows } = queries.get(ref)!
  return toTextChart(chart, columns, rows, { width: 60 })
}
