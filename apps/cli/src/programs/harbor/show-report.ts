import { resolve } from 'node:path'
import { formatReport, toHtml, toJUnit } from '@dataagent/harbor'
import { exitCodes } from '../../args/index.ts'
import type { Program } from '../contract.ts'
import { toSafeJson } from '../safe-json.ts'
import { readReport, write } from './files.ts'
import { formatOptionsOf } from './format-options.ts'
import { words } from './words.ts'

/** `dataagent harbor report`: a report again, on standard output or as other files. */
export const showReport: Program = async ({ words: [file = ''], flags }, context) => {
  const { stdout, cwd, lang, warn } = context
  const report = await readReport(cwd, file)
  const made = { html: () => toHtml(report, { lang }), junit: () => toJUnit(report) }
  for (const [name, make] of Object.entries(made)) {
    const path = flags.get(name)?.at(-1)
    if (path === undefined) continue
    await write(resolve(cwd, path), make())
    warn(words.written(path)[lang])
  }
  if (flags.has('json')) stdout.write(`${toSafeJson(JSON.stringify(report, null, 2))}\n`)
  else if (!flags.has('html') && !flags.has('junit'))
    stdout.write(`${formatReport(report, formatOptionsOf(context))}\n`)
  return exitCodes.ok
}
