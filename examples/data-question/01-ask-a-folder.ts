// A question of a folder of files, without a model: answer, chart, and what each number rests on.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { checkCitations, createQuestionMatcher } from '@dataagent/data'
import { suggestChart, toTextChart } from '@dataagent/data/charts'
import { administrator, openData } from './open-data.ts'

await using data = await openData()
const { sources, queries } = data
const folder = join(import.meta.dirname, 'sales')
await sources.create(administrator, {
  ...{ name: 'sales', description: 'Orders of a shop, one in each row' },
  location: { kind: 'files', folder },
})

// Somebody's words are matched with questions whose SQL is known to be right.
const matcher = createQuestionMatcher([
  {
    question: 'Sales by region',
    also: ['How much did we sell in each region?', '各地区的销售额'],
    sql: 'SELECT region, sum(amount) AS amount FROM orders GROUP BY region ORDER BY amount DESC',
  },
  {
    question: 'How many pieces of each item were sold?',
    also: ['Pieces by item', '各商品的销量'],
    sql: 'SELECT item, sum(pieces) AS pieces FROM orders GROUP BY item ORDER BY pieces DESC',
  },
])
const context = {
  ...{ principal: administrator, session_id: 'monday' },
  signal: AbortSignal.timeout(30_000),
}
async function ask(text: string) {
  const meant = matcher.match(text)?.question
  assert(meant, `nobody has said how to answer: ${text}`)
  return queries.run(context, { source: 'sales', sql: meant.sql, purpose: meant.question })
}
const byRegion = await ask('Show me our sales by region')
const byItem = await ask('各商品的销量是多少？')
assert.deepEqual(byRegion.rows[0], ['East', 950])
assert.deepEqual(byItem.rows[0], ['Lamp', 16])

// A chart names columns of a result: no point of it can be made up.
const chart = suggestChart(byRegion.columns, byRegion.rows)
assert(chart)
const drawn = toTextChart(chart, byRegion.columns, byRegion.rows, { width: 60 })
console.log(`${byRegion.purpose}\n\n${drawn}\n`)
assert.match(drawn, /East .*950/)

// What is said of it is looked at number by number: two rest on queries, the third on nothing.
const text = 'East leads with 950 [q1]. Lamps sell best: 16 pieces [q2], 12 % more than last year.'
const { cited, dangling, uncovered } = checkCitations({ text, queries: [byRegion, byItem] })
console.log(text)
for (const { query_id } of cited) {
  const { ref, source_name, sql } = await queries.get(context, query_id)
  console.log(`  [${ref}] ${source_name}: ${sql}`)
}
for (const number of uncovered) console.log(`  ${number.text}: no query has given this`)
assert.deepEqual([cited.length, dangling.length, uncovered.length], [2, 0, 1])
assert.equal(uncovered[0]?.text, '12 %')

// A source is read and nothing else, whatever is asked of it.
const refused = queries.run(context, { source: 'sales', sql: "COPY orders TO 'copy.csv'" })
await assert.rejects(refused, /Only statements that read are run/)
