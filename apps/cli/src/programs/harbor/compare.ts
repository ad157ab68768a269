import { resolve } from 'node:path'
import { compareReports, formatComparison, toHtml } from '@dataagent/harbor'
import { exitCodes } from '../../args/index.ts'
import type { Program } from '../contract.ts'
import { toSafeJson } from '../safe-json.ts'
import { readReport, write } from './files.ts'
import { formatOptionsOf } from './format-options.ts'
import { words } from './words.ts'

/** `dataagent harbor compare`: 1 where a share of passed or a time has become worse. */
export const compare: Program = async ({ words: [before = '', after = ''], flags }, context) => {
  const { stdout, cwd, lang, warn } = context
  const baseline = await readReport(cwd, before)
  const current = await readReport(cwd, after)
  const comparison = compareReports(baseline, current)
  const html = flags.get('html')?.at(-1)
  if (html !== undefined) {
    await write(resolve(cwd, html), toHtml(current, { lang, comparison }))
    warn(words.written(html)[lang])
  }
  const shown = flags.has('json')
    ? toSafeJson(JSON.stringify(comparison, null, 2))
    : formatComparison(comparison, formatOptionsOf(context))
  stdout.write(`${shown}\n`)
  const { pass_rate, mean_total_ms, p50_total_ms, p95_total_ms, mean_first_event_ms } = comparison
  const all = [pass_rate, mean_total_ms, p50_total_ms, p95_total_ms, mean_first_event_ms]
  return all.some(({ verdict }) => verdict === 'worse') ? exitCodes.error : exitCodes.ok
}
