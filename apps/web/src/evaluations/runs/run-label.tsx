import type { EvaluationRunInfo } from '@dataagent/schema'
import { useFormats, useWords } from '../../words/use-words.ts'
import { runsWords } from './runs-words.ts'

/** A run among others to choose from: its name, when it was, and how it went. */
export function RunLabel({ run }: { run: EvaluationRunInfo }) {
  const words = useWords(runsWords)
  const formats = useFormats()
  const { name, created_at, started_at, counts } = run
  const result = words.passedOf(formats.number(counts.passed), formats.number(counts.total))
  return `${name} · ${formats.time(started_at ?? created_at)} · ${result}`
}
