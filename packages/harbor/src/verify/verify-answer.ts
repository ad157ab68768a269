import type { Question, TrialCheck } from '@dataagent/schema'
import { RE2JS } from 're2js'
import type { ExpectedTable, Outcome } from '../contract.ts'
import { isOrdered } from './is-ordered.ts'
import { matchKeywords } from './keywords.ts'
import { isSameTable } from './same-table.ts'
import { isSameTool } from './tool-names.ts'

/** What an answer has of what was expected of it. */
export interface VerifiedAnswer {
  status: 'passed' | 'failed'
  checks: TrialCheck[]
  matched_keywords: string[]
  /** Its rows could not be compared, and all else is right: nothing can be said. */
  isUnknown: boolean
}

/**
 * Looks for all that the question expects. A question that expects nothing passes with any answer
 * that is not empty; what was said before a denial ended the turn is none. `expected` is what
 * `expected_sql` gives; without it there is no source of data.
 */
export function verifyAnswer(
  question: Question,
  outcome: Outcome,
  expected?: ExpectedTable,
): VerifiedAnswer {
  const matched_keywords = matchKeywords(question.expected_keywords, outcome.answer)
  const checks = [
    ...checkKeywords(question, matched_keywords),
    ...checkPattern(question, outcome),
    ...checkTools(question, outcome),
    ...checkSql(question, outcome, expected),
  ]
  const isAnswered = outcome.answer.trim() !== '' && !outcome.isDenied
  const passed = checks.length === 0 ? isAnswered : checks.every(isPassed)
  const isUnchecked = question.expected_sql !== null && !isComparable(outcome, expected)
  const isUnknown = isUnchecked && checks.every((check) => check.name === 'sql' || check.passed)
  return { status: passed ? 'passed' : 'failed', checks, matched_keywords, isUnknown }
}

function isComparable({ tables }: Outcome, expected: ExpectedTable | undefined): boolean {
  return expected?.status === 'read' && tables.every(({ unread }) => unread === undefined)
}

function isPassed({ passed }: TrialCheck): boolean {
  return passed
}

function checkKeywords({ expected_keywords }: Question, matched: readonly string[]): TrialCheck[] {
  if (expected_keywords.length === 0) return []
  const missing = expected_keywords.filter((keyword) => !matched.includes(keyword))
  const passed = missing.length === 0
  const message = passed ? 'all keywords are there' : `missing: ${missing.join(', ')}`
  return [{ name: 'keywords', passed, message }]
}

function checkPattern({ expected_pattern }: Question, { answer }: Outcome): TrialCheck[] {
  if (expected_pattern === null) return []
  const pattern = toPattern(expected_pattern)
  const passed = pattern?.matcher(answer).find() ?? false
  const told = pattern ? 'does not match' : 'cannot match what is no regular expression:'
  const message = `${passed ? 'matches' : told} ${expected_pattern}`
  return [{ name: 'pattern', passed, message }]
}

/** Undefined for one that `parseQuestions` would have refused. */
function toPattern(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(source)
  } catch {
    return undefined
  }
}

function checkTools({ expected_tools }: Question, { tools }: Outcome): TrialCheck[] {
  if (expected_tools.length === 0) return []
  const succeeded = tools.filter(({ status }) => status === 'success')
  const missing = expected_tools.filter(
    (expected) => !succeeded.some(({ name }) => isSameTool(expected, name)),
  )
  const told = missing.map((expected) => {
    const wasTried = tools.some(({ name }) => isSameTool(expected, name))
    return `${expected} ${wasTried ? 'failed' : 'was not called'}`
  })
  const message = told.join(', ') || 'all tools were called'
  return [{ name: 'tools', passed: missing.length === 0, message }]
}

function checkSql(
  { expected_sql }: Question,
  { tables }: Outcome,
  expected: ExpectedTable | undefined,
): TrialCheck[] {
  if (expected_sql === null) return []
  if (expected === undefined) return [sqlCheck(false, noSource)]
  if (expected.status === 'unread')
    return [sqlCheck(false, `the expected query failed: ${expected.message}`)]
  const isRowOrderAsked = isOrdered(expected_sql)
  const { table: wanted } = expected
  if (tables.some((table) => isSameTable(wanted, table, { isRowOrderAsked }))) {
    return [sqlCheck(true, 'a query gave the expected rows')]
  }
  const unread = tables.find((table) => table.unread !== undefined)?.unread
  if (unread !== undefined) return [sqlCheck(false, `rows could not be read whole: ${unread}`)]
  const rows = `the ${wanted.rows.length} expected ${wanted.rows.length === 1 ? 'row' : 'rows'}`
  if (tables.length === 0) return [sqlCheck(false, `no query gave rows, ${rows} are missing`)]
  const order = isRowOrderAsked ? ' in their order' : ''
  return [sqlCheck(false, `none of ${tables.length} results has ${rows}${order}`)]
}

const noSource = 'there is no source of data to run the expected query on'

function sqlCheck(passed: boolean, message: string): TrialCheck {
  return { name: 'sql', passed, message }
}
