import type { RunInfo, RunsPage } from '@dataagent/schema'
import type { App } from '../../app/index.ts'
import { sparkline, toPlainLine } from '../../ui/index.ts'
import { formatCost, formatTokens } from '../view/format.ts'
import { toRows } from '../view/rows.ts'
import {
  costColumns,
  noPrices,
  nothingSpent,
  onlySome,
  thisSession,
  today,
  tokensByTurn,
} from './words.ts'

const pageSize = 200
/** More turns of one day, or of one session, than a person looks at. */
const runsMax = 1_000
/** Of fewer turns there is nothing to see, of more only the last fit. */
const shownTurns = { least: 3, most: 40 }

interface Sum {
  model: string
  turns: number
  prompt: number
  cached: number
  completion: number
  micros: number
}

/** Tokens and cost of this session and of the day, by model: one's own turns. */
export async function runCost(app: App): Promise<void> {
  const { lang, theme, session, signal } = app
  const { client } = await app.link()
  const midnight = new Date().setHours(0, 0, 0, 0)
  const [here, day] = await Promise.all([
    session && readRuns((page) => client.sessions.runs(session.session_id, page, { signal }), 0),
    readRuns((page) => client.runs.list(page, { signal }), midnight),
  ])
  const lines = [
    ...(here
      ? [theme.heading(thisSession[lang]), ...toTable(here, app), ...toTurns(here, app), '']
      : []),
    ...[theme.heading(today[lang]), ...toTable(day, app)],
  ]
  const isPriced = [...(here ?? []), ...day].some(({ cost_micros }) => cost_micros > 0)
  if (!isPriced) lines.push('', theme.dim(noPrices[lang]))
  if (day.length >= runsMax) lines.push(theme.dim(onlySome(runsMax)[lang]))
  app.say(lines.join('\n'))
}

/** Newest first, those that began since. */
async function readRuns(
  read: (page: { limit: number; offset: number }) => Promise<RunsPage>,
  since: number,
): Promise<RunInfo[]> {
  const runs: RunInfo[] = []
  while (runs.length < runsMax) {
    const page = await read({ limit: pageSize, offset: runs.length })
    const recent = page.runs.filter(({ started_at }) => started_at >= since)
    runs.push(...recent)
    if (recent.length < pageSize || runs.length >= page.total) break
  }
  return runs
}

function toTable(runs: readonly RunInfo[], app: App): string[] {
  const { lang, theme } = app
  const sums = sumByModel(runs)
  if (sums.length === 0) return [`  ${theme.dim(nothingSpent[lang])}`]
  const rows = sums.map(({ model, turns, prompt, cached, completion, micros }) => [
    ...[toPlainLine(model, 18), `${turns}`, formatTokens(prompt), formatTokens(cached)],
    ...[formatTokens(completion), micros > 0 ? formatCost(micros) : '–'],
  ])
  const heads = costColumns.map((name) => theme.dim(name[lang]))
  return toRows([heads, ...rows], { width: app.screen.columns, right: [1, 2, 3, 4, 5] })
}

/** How the turns of a session have grown, the last of them at the right. */
function toTurns(runs: readonly RunInfo[], { lang, theme }: App): string[] {
  const asked = runs.filter(({ model }) => model !== null).slice(0, shownTurns.most)
  if (asked.length < shownTurns.least) return []
  const tokens = asked.map((run) => run.prompt_tokens + run.completion_tokens).reverse()
  return [`  ${theme.dim(tokensByTurn[lang])} ${theme.accent(sparkline(tokens, theme.glyphs))}`]
}

/** Turns that asked no model count for none. */
function sumByModel(runs: readonly RunInfo[]): Sum[] {
  const sums = new Map<string, Sum>()
  for (const { model, ...run } of runs) {
    if (model === null) continue
    const zero = { model, turns: 0, prompt: 0, cached: 0, completion: 0, micros: 0 }
    const sum = sums.get(model) ?? zero
    sum.turns += 1
    sum.prompt += run.prompt_tokens
    sum.cached += run.cached_tokens
    sum.completion += run.completion_tokens
    sum.micros += run.cost_micros
    sums.set(model, sum)
  }
  return [...sums.values()].sort((a, b) => b.prompt - a.prompt)
}
