import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { toPromptfoo } from '@dataagent/harbor'
import { exitCodes } from '../../args/index.ts'
import { toPlain } from '../../ui/index.ts'
import type { Program } from '../contract.ts'
import { toSafeJson } from '../safe-json.ts'
import { readQuestions, UsageError } from './files.ts'
import { words } from './words.ts'

/** `dataagent harbor convert`: questions in another form. Reads all that `run` reads. */
export const convert: Program = async ({ words: [file = ''], flags }, context) => {
  const { stdout, cwd, lang, warn } = context
  const set = await readQuestions(cwd, file)
  const isJson = flags.get('as')?.at(-1) === 'json'
  const content = isJson ? `${JSON.stringify(set, null, 2)}\n` : toPromptfoo(set)
  const to = flags.get('to')?.at(-1)
  if (to === undefined) {
    stdout.write(isJson ? toSafeJson(content) : toPlain(content))
    return exitCodes.ok
  }
  await writeFile(resolve(cwd, to), content, { flag: 'wx' }).catch((cause) => {
    throw cause.code === 'EEXIST' ? new UsageError(words.exists(to), { cause }) : cause
  })
  warn(words.written(to)[lang])
  return exitCodes.ok
}
