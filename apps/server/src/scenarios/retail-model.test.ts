import {
  lastUserText,
  type RecordedRequest,
  startModelStandIn,
  toolRounds,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { readRetailSet, startRetailServer } from '../testing/test-retail-server.ts'

const { questions: all } = await readRetailSet()
const questions = all.filter(({ tags }) => tags.includes('model'))
const [mistaken] = questions

/** Runs the query that is expected, but for one question another that gives rows too. */
function answer(request: RecordedRequest) {
  if (toolRounds(request) > 0) return { text: 'Here it is [q1].' }
  const question = questions.find((one) => one.question === lastUserText(request))
  const sql =
    question === mistaken
      ? 'SELECT category, count(*) + 1 FROM products GROUP BY 1'
      : `${question?.expected_sql}`
  return { toolCalls: [{ name: 'run_sql', arguments: { source: 'retail', sql } }] }
}

test('of the questions that need a model a right query passes and a wrong one fails', {
  timeout: 600_000,
}, async () => {
  await using model = await startModelStandIn({ script: answer })
  await using server = await startRetailServer({
    ...{ DATAAGENT_MODEL: 'openai:standin', OPENAI_API_KEY: model.apiKey },
    OPENAI_BASE_URL: `${model.url}/v1`,
  })
  const total = questions.length
  expect(total).toBeGreaterThanOrEqual(30)
  const { counts, trials } = await server.run(questions)
  expect(trials.filter(({ status }) => status !== 'passed')).toMatchObject([
    { question_id: mistaken?.question_id, status: 'failed', failure: { kind: 'capability' } },
  ])
  expect(counts).toMatchObject({ total, passed: total - 1, failed: 1 })
})
