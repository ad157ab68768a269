import { longCount } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { readRetailSet, startRetailServer } from '../testing/test-retail-server.ts'

test('the demo model answers verified questions by run_sql, as the grader of harbor sees it', {
  timeout: 600_000,
}, async () => {
  const { questions: all } = await readRetailSet()
  const verified = all.filter(({ tags }) => tags.includes('verified'))
  // From all over the set, so that both languages and every topic are among them.
  const step = Math.ceil(verified.length / longCount(6, verified.length))
  const questions = verified.filter((_, at) => at % step === 0)
  await using server = await startRetailServer()
  const { counts, trials } = await server.run(questions)
  expect(trials.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(counts).toMatchObject({ total: questions.length, passed: questions.length })
  for (const { tools } of trials) {
    expect(tools[0]?.name).toBe('run_sql')
    expect(new Set(tools.map(({ status }) => status))).toEqual(new Set(['success']))
  }
})
