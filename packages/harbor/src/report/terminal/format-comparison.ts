import type { Comparison } from '@dataagent/schema'
import { measures, toCount, toDifferenceTexts, togetherNotes, toPoints } from '../figures.ts'
import { toLine, widthOf } from './cells.ts'
import { type FormatOptions, toLook, toText } from './format-report.ts'
import { verdictColours } from './paint.ts'
import { toTable } from './table.ts'

const questionsMax = 20

/** The comparison for a terminal, without a newline at its end. */
export function formatComparison(comparison: Comparison, options: FormatOptions): string {
  const { words, paint } = toLook(options)
  const head = [words.measure, words.baseline, words.current, words.difference, words.interval]
  const rows = measures.map((measure) => {
    const value = comparison[measure]
    const texts = toDifferenceTexts(measure, value, words)
    const verdict = paint(verdictColours[value.verdict], words.verdicts[value.verdict])
    const figures = [texts.baseline, texts.current, texts.difference, texts.interval]
    return [words.measures[measure], ...figures, verdict]
  })
  return toText([
    [
      paint('bold', words.comparison),
      paint('dim', `${comparison.baseline_run_id} → ${comparison.current_run_id}`),
    ],
    toTable([...head, words.verdict], rows, { paint }),
    [
      paint('dim', words.visible(toPoints(comparison.smallest_visible_change, words))),
      ...togetherNotes(comparison, words).map((note) => paint('dim', note)),
    ],
    ...changesOf(comparison, options),
  ])
}

function changesOf({ questions }: Comparison, options: FormatOptions): string[][] {
  const { words, paint, width } = toLook(options)
  const parts = (['broken', 'fixed', 'added', 'removed'] as const).flatMap((change) => {
    const own = questions.filter((question) => question.change === change)
    if (own.length === 0) return []
    const colour = change === 'broken' ? 'red' : change === 'fixed' ? 'green' : 'cyan'
    const lines = own.slice(0, questionsMax).map(({ question_id, question, ...was }) => {
      const statuses = [was.baseline, was.current].flatMap((status) =>
        status === null ? [] : words.statuses[status],
      )
      const first = `  ${question_id} ${statuses.join(' → ')} `
      return `${first}${paint('dim', toLine(question, width - widthOf(first)))}`
    })
    const left = own.length - questionsMax
    const more = left > 0 ? [paint('dim', `  ${words.more(toCount(left))}`)] : []
    const title = paint(colour, `${words.changes[change]} (${toCount(own.length)})`)
    return [[title, ...lines, ...more]]
  })
  return parts.length > 0 ? parts : [[words.noChanges]]
}
