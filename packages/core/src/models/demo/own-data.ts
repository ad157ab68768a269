import { isPlainObject } from '@dataagent/schema'
import { inWords } from './demo-texts.ts'
import { parseJson } from './known-tools.ts'
import { calling, type OwnRule } from './own-rule.ts'
import { type DemoReply, say } from './reply.ts'
import { toPattern } from './to-pattern.ts'
import type { Asked } from './use-tool.ts'

export const askVerified: OwnRule = ({ known }) => {
  const { verified: found } = known
  if (!found || !known.given.has('run_sql')) return undefined
  const { source, sql, question } = found
  return calling({ name: 'run_sql', arguments: { source, sql, purpose: question } })
}

const sourcesAsked = toPattern('iu')`
  (?:有哪些|有什么|列出|看看|查看).{0,8}(?:数据源|数据集|数据(?!库))
  |(?:what|which|list|show).{0,20}\bdata\s{0,2}(?:sources?|sets?|do\s{1,3}you\s{1,3}have)`

export const listSources: OwnRule = ({ text, known }) =>
  sourcesAsked.test(text) && known.given.has('list_sources')
    ? calling({ name: 'list_sources', arguments: {} })
    : undefined

const chartHint = /^A chart that fits: make_chart (\{.{1,4000}\})$/m

/** After `run_sql`: shows the chart that its result names, else tells the rows. */
export function afterQuery(content: string, asked: Asked): DemoReply {
  const chart = parseJson(chartHint.exec(content)?.[1] ?? '')
  const canDraw = isPlainObject(chart) && asked.known.given.has('make_chart')
  return canDraw ? calling({ name: 'make_chart', arguments: chart }) : tellRows(content, asked)
}

/** What a query of this run has given, in words that cite it. */
export function tellRows(content: string, { language, known }: Asked): DemoReply {
  const [facts = '', ...lines] = content.split('\n')
  const ref = /^q\d+/.exec(facts)?.[0]
  if (ref === undefined) return say(content.slice(0, rowsMax))
  const end = lines.findIndex((line) => /^(?:Only the first|A chart that|Cite each)/.test(line))
  const table = lines.slice(0, end === -1 ? lines.length : end).filter((line) => !isNote(line))
  const [head = '', ...rows] = table.map(toCells)
  const title = known.verified?.question ?? ''
  const told = inWords.queryGave(ref, title)[language]
  if (rows.length === 0) return say(inWords.queryEmpty(ref)[language])
  const shown = rows.slice(0, shownRows)
  const body = [head, toRule(head), ...shown].join('\n')
  const left = rows.length - shown.length
  return say(`${told}\n\n${body}${left > 0 ? `\n\n${inWords.more(left)[language]}` : ''}`)
}

const rowsMax = 4_000
const shownRows = 20

function isNote(line: string): boolean {
  return line === 'An administrator has verified this query.'
}

function toCells(line: string): string {
  return `| ${line} |`
}

function toRule(head: string): string {
  return `|${' --- |'.repeat(head.split(' | ').length)}`
}
