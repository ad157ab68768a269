import { describe, expect, test } from 'vitest'
import { classify } from './classify.ts'
import { toOutcome, toQuestion } from './test-outcome.ts'
import { verifyAnswer } from './verify-answer.ts'

describe('verifyAnswer', () => {
  test('an answer with all that was expected has passed [D27.4]', () => {
    const question = toQuestion({
      ...{ expected_keywords: ['12', 'orders'], expected_pattern: '(?i)there are \\d+' },
      ...{ expected_tools: ['run_query'], expected_sql: 'select 12' },
    })
    const outcome = toOutcome({
      tools: [{ name: 'mcp.shop.run_query', status: 'success', ms: 3 }],
      tables: [{ columns: ['n'], rows: [['12']] }],
    })
    const table = { columns: ['count'], rows: [[12]] }
    const verified = verifyAnswer(question, outcome, { status: 'read', table })
    expect(verified).toMatchObject({ status: 'passed', matched_keywords: ['12', 'orders'] })
    expect(verified.checks.map(({ name }) => name)).toEqual(['keywords', 'pattern', 'tools', 'sql'])
  })

  test('what is missing is told', () => {
    const question = toQuestion({ expected_keywords: ['12', '客户'], expected_pattern: '^\\d+$' })
    const { status, checks, matched_keywords } = verifyAnswer(question, toOutcome())
    expect({ status, matched_keywords }).toEqual({ status: 'failed', matched_keywords: ['12'] })
    expect(checks).toEqual([
      { name: 'keywords', passed: false, message: 'missing: 客户' },
      { name: 'pattern', passed: false, message: 'does not match ^\\d+$' },
    ])
  })

  test('a question that expects nothing passes with any answer, but not with none', () => {
    expect(verifyAnswer(toQuestion(), toOutcome()).status).toBe('passed')
    expect(verifyAnswer(toQuestion(), toOutcome({ answer: ' \n' })).status).toBe('failed')
  })

  test('what was said before a denial ended the turn is no answer', () => {
    const outcome = toOutcome({ answer: 'I cancel it.', isDenied: true })
    const verified = verifyAnswer(toQuestion(), outcome)
    const { status, failure } = classify(toQuestion(), outcome, verified, { timedOut: false })
    expect(status).toBe('failed')
    expect(failure).toMatchObject({ code: 'denied', message: 'something was not allowed' })
  })

  test.each([
    'run_query',
    'shop.run_query',
    'mcp.shop.run_query',
    'mcp--shop--run_query',
    'shop/run_query',
    'mcp__shop__run_query',
  ])('the tool mcp.shop.run_query may be written %s', (name) => {
    const question = toQuestion({ expected_tools: [name] })
    const tools = [{ name: 'mcp.shop.run_query', status: 'success' as const, ms: null }]
    expect(verifyAnswer(question, toOutcome({ tools })).status).toBe('passed')
  })

  test.each(['query', 'other.run_query', 'run'])('%s is another tool', (name) => {
    const question = toQuestion({ expected_tools: [name] })
    const tools = [{ name: 'mcp.shop.run_query', status: 'success' as const, ms: null }]
    expect(verifyAnswer(question, toOutcome({ tools })).checks[0]).toMatchObject({
      passed: false,
      message: `${name} was not called`,
    })
  })

  test('a tool that failed each time does not count', () => {
    const question = toQuestion({ expected_tools: ['send'] })
    const tools = [{ name: 'send', status: 'error' as const, ms: 1 }]
    const [check] = verifyAnswer(question, toOutcome({ tools })).checks
    expect(check?.message).toBe('send failed')
  })

  test('what is no pattern fails, and does not end the run', () => {
    const question = toQuestion({ expected_pattern: 'a(b' })
    const [check] = verifyAnswer(question, toOutcome()).checks
    expect(check?.message).toBe('cannot match what is no regular expression: a(b')
  })

  test('a hostile pattern ends in linear time', () => {
    const question = toQuestion({ expected_pattern: '(a+)+$' })
    const answer = `${'a'.repeat(50_000)}!`
    expect(verifyAnswer(question, toOutcome({ answer })).status).toBe('failed')
  })
})

describe('classify', () => {
  const question = toQuestion({ expected_keywords: ['12'], expected_tools: ['run_query'] })
  const run = [{ name: 'run_query', status: 'success' as const, ms: 1 }]
  const judge = (parts: Parameters<typeof toOutcome>[0], options = { timedOut: false }) => {
    const outcome = toOutcome({ tools: run, ...parts })
    return classify(question, outcome, verifyAnswer(question, outcome), options)
  }

  test('a right answer has passed, also where something was denied [D27.4]', () => {
    expect(judge({ isDenied: true })).toEqual({ status: 'passed', failure: null })
  })

  test.each([
    ['a wrong answer', { answer: '13' }, 'wrong_answer'],
    ['an answer without the tool', { tools: [] }, 'wrong_tools'],
    ['no answer', { answer: '' }, 'no_answer'],
    ['a denied one', { answer: 'I may not.', isDenied: true }, 'denied'],
    ['one that ended at a refusal', { error: { code: 'tool_not_allowed', message: 'no' } }, null],
  ])('%s is a failure of the agent [D27.4]', (_, parts, code) => {
    const { status, failure } = judge(parts)
    expect(status).toBe('failed')
    expect(failure).toMatchObject({ kind: 'capability', code: code ?? 'tool_not_allowed' })
  })

  test.each(['network_failed', 'rate_limited', 'unavailable', 'upstream_failed', 'internal'])(
    '%s is an error of what carries the agent [D27.4]',
    (code) => {
      const { status, failure } = judge({ answer: '', error: { code, message: 'away' } })
      expect({ status, failure }).toEqual({
        status: 'error',
        failure: { kind: 'infrastructure', code, message: 'away' },
      })
    },
  )

  test('no answer in time is a timeout, whatever else is known [D27.4]', () => {
    const cancelled = { code: 'cancelled', message: 'stopped' }
    expect(judge({ error: cancelled }, { timedOut: true }).status).toBe('timeout')
  })

  test('an answer after the question’s own limit is a timeout, even a right one', () => {
    const hasty = toQuestion({ max_seconds: 1 })
    const outcome = toOutcome({ total_ms: 1001 })
    const { status, failure } = classify(hasty, outcome, verifyAnswer(hasty, outcome), {
      timedOut: false,
    })
    expect(status).toBe('timeout')
    expect(failure?.message).toBe('no whole answer after 1.0 s, 1 s are allowed')
  })

  test('where the expected query could not be run nothing is said about the agent', () => {
    const asked = toQuestion({ expected_sql: 'select 1', expected_keywords: ['12'] })
    const verified = verifyAnswer(asked, toOutcome())
    expect(classify(asked, toOutcome(), verified, { timedOut: false })).toMatchObject({
      status: 'error',
      failure: { kind: 'infrastructure', code: 'expected_sql_failed' },
    })
  })
})
