import { readFile, writeFile } from 'node:fs/promises'
import { basename, extname, resolve } from 'node:path'
import { formatOf, parseQuestions, type QuestionSet } from '@dataagent/harbor'
import {
  type EvaluationReport,
  evaluationReportSchema,
  isAppError,
  parseAs,
  readJson,
} from '@dataagent/schema'
import { toPlain, toPlainLine } from '../../ui/index.ts'
import type { Text } from '../../words/index.ts'
import { words } from './words.ts'

/** What was asked for cannot be done so: told as one line, and the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  readonly text: Text

  constructor(text: Text, options?: ErrorOptions) {
    super(text.en, options)
    this.text = text
  }
}

export async function readQuestions(cwd: string, path: string): Promise<QuestionSet> {
  const text = await readText(cwd, path)
  const name = basename(path, extname(path))
  try {
    return parseQuestions(text, { name, format: formatOf(path) })
  } catch (error) {
    if (!isAppError(error)) throw error
    throw new UsageError(words.badQuestions(toPlainLine(path), toPlain(error.message)))
  }
}

export async function readReport(cwd: string, path: string): Promise<EvaluationReport> {
  const text = await readText(cwd, path)
  try {
    return parseAs(evaluationReportSchema, readJson(text), path)
  } catch (cause) {
    throw new UsageError(words.badReport(toPlainLine(path)), { cause })
  }
}

async function readText(cwd: string, path: string): Promise<string> {
  return readFile(resolve(cwd, path), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new UsageError(words.unreadable(toPlainLine(path), cause.code ?? ''), { cause })
  })
}

/** Questions and answers may be nobody else's business. */
export async function write(path: string, content: string): Promise<string> {
  await writeFile(path, content, { mode: 0o600 })
  return path
}
