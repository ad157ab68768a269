import type { QuestionSet } from '@dataagent/harbor'
import { exitCodes } from '../../args/index.ts'
import { toPlainLine } from '../../ui/index.ts'
import type { Lang } from '../../words/index.ts'
import type { Program } from '../contract.ts'
import { toSafeJson } from '../safe-json.ts'
import { readQuestions } from './files.ts'
import { words } from './words.ts'

/** `dataagent harbor check`: reads questions, and says what it found. */
export const checkQuestions: Program = async ({ words: [file = ''], flags }, context) => {
  const { stdout, cwd, lang } = context
  const set = await readQuestions(cwd, file)
  const found = flags.has('json') ? toSafeJson(JSON.stringify(set, null, 2)) : describe(set, lang)
  stdout.write(`${found}\n`)
  return exitCodes.ok
}

function describe({ name, questions }: QuestionSet, lang: Lang): string {
  const count = (has: (question: (typeof questions)[number]) => boolean) =>
    questions.filter(has).length
  const checks = {
    keywords: count((one) => one.expected_keywords.length > 0),
    pattern: count((one) => one.expected_pattern !== null),
    tools: count((one) => one.expected_tools.length > 0),
    sql: count((one) => one.expected_sql !== null),
    nothing: count(
      (one) =>
        one.expected_keywords.length + one.expected_tools.length === 0 &&
        one.expected_pattern === null &&
        one.expected_sql === null,
    ),
  }
  const groups = (values: readonly (string | null)[]) =>
    [...Map.groupBy(values, (value) => value)]
      .filter(([value]) => value !== null)
      .map(([value, all]) => `${toPlainLine(value ?? '', 40)} ${all.length}`)
      .join(', ')
  const lines = [
    words.found(toPlainLine(name, 80), questions.length)[lang],
    words.checks(checks)[lang],
    [words.categories[lang], groups(questions.map((one) => one.category))],
    [words.difficulties[lang], groups(questions.map((one) => one.difficulty))],
    [words.tags[lang], groups(questions.flatMap((one) => one.tags))],
  ]
  return lines
    .flatMap((line) => (typeof line === 'string' ? [line] : line[1] ? [line.join('')] : []))
    .join('\n')
}
