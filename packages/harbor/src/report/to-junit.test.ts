import { expect, test } from 'vitest'
import { toLivelyReport, toTestReport, toTrial, toWrong } from './test-reports.ts'
import { parseXml } from './test-xml.ts'
import { toJUnit } from './to-junit.ts'

const timeout = { kind: 'infrastructure' as const, code: 'timeout', message: 'too late' }

test('a suite for each category, a case for each trial [D27.5]', () => {
  const report = toTestReport({
    questions: [{ category: 'sales' }, { category: '客户' }, {}],
    trials: [
      toTrial(),
      toWrong({ question_id: 'q2', attempt: 2, total_ms: 1500 }),
      toTrial({ question_id: 'q3', status: 'timeout', failure: timeout }),
    ],
  })
  const root = parseXml(toJUnit(report))
  expect(root.attributes).toEqual({
    ...{ name: 'shop', tests: '3', failures: '1', errors: '1', time: '3.500' },
  })
  expect(root.children.map(({ attributes }) => attributes.name)).toEqual(['sales', '客户', 'shop'])
  const [passed, failed, late] = root.children.map(({ children }) => children[0])
  expect(passed?.children).toEqual([])
  expect(failed?.attributes).toEqual({
    ...{ name: 'q2 (attempt 2) How many?', classname: '客户', time: '1.500' },
  })
  expect(failed?.children[0]).toMatchObject({
    name: 'failure',
    attributes: { message: 'keywords: missing: 12', type: 'capability.wrong_answer' },
  })
  expect(late?.children[0]).toMatchObject({
    name: 'error',
    attributes: { type: 'infrastructure.timeout' },
  })
})

test('whatever a model answers, it is XML', () => {
  const hostile = ']]></failure><x a="&quot;"/>\u0000\u001b[31m\ud800 & <script>"\'\n\t\ufffe'
  const report = toTestReport({
    name: hostile,
    questions: [{ question: hostile, category: hostile }],
    trials: [toWrong({ answer: hostile })],
  })
  const root = parseXml(toJUnit(report))
  const clean = ']]></failure><x a="&quot;"/>[31m & <script>"\'\n\t'
  expect(root.attributes.name).toBe(clean)
  expect(root.children[0]?.children[0]?.attributes.name).toBe(`q1 ${clean}`)
  expect(root.children[0]?.children[0]?.children[0]?.text).toContain(clean.trimEnd())
})

test('a whole run is read back with all its trials', () => {
  const report = toLivelyReport()
  const root = parseXml(toJUnit(report))
  const cases = root.children.flatMap(({ children }) => children)
  expect(cases).toHaveLength(report.counts.total)
  expect(cases.filter(({ children }) => children.length === 0)).toHaveLength(report.counts.passed)
})
