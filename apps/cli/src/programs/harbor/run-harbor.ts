import { exitCodes } from '../../args/index.ts'
import type { Program } from '../contract.ts'
import { checkQuestions } from './check.ts'
import { compare } from './compare.ts'
import { convert } from './convert.ts'
import { UsageError } from './files.ts'
import { runQuestions } from './run.ts'
import { showReport } from './show-report.ts'
import { words } from './words.ts'

const actions: Readonly<Record<string, Program>> = {
  ...{ run: runQuestions, check: checkQuestions, report: showReport, compare, convert },
}

/** How many files an action reads. */
const filesOf: Readonly<Record<string, number>> = { compare: 2 }

/** `dataagent harbor`: measures an agent. */
export const runHarbor: Program = async (call, context) => {
  const { warn, lang } = context
  const [name = '', ...files] = call.words
  const action = actions[name]
  if (action === undefined || files.length !== (filesOf[name] ?? 1)) {
    warn(words.usage(name)[lang])
    return exitCodes.usage
  }
  try {
    return await action({ ...call, words: files }, context)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    warn(error.text[lang])
    return exitCodes.usage
  }
}
