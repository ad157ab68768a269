// An agent is asked a set of questions, its prompt is changed, and it is asked again: is it better?
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openServer } from '@dataagent/example-server'
import {
  compareReports,
  createClientAsker,
  formatComparison,
  formatReport,
  parseQuestions,
  runJob,
  toJUnit,
} from '@dataagent/harbor'
import type { Load } from '@dataagent/schema'
import { startReadingModel } from './reading-model.ts'

const text = await readFile(join(import.meta.dirname, 'questions.yaml'), 'utf8')
const set = parseQuestions(text, { name: 'shop', format: 'yaml' })

await using model = await startReadingModel()
await using server = await openServer({
  env: {
    DATAAGENT_MODEL: 'openai:standin',
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: model.apiKey,
  },
})
const admin = server.clientOf('admin')
const facts = ['- delivery: takes three days.', '- payment: by card or by invoice.']
await admin.agents.create({
  ...{ assistant_id: 'clerk', name: 'Clerk' },
  system_prompt: facts.join('\n'),
})

/** Four people ask, each question five times: a model does not always answer alike. */
async function measure(run_id: string) {
  const load: Load = {
    ...{ mode: 'closed', concurrency: 4, duration_seconds: null },
    ...{ ramp_seconds: 0, warm_up_seconds: 0 },
  }
  await using asker = createClientAsker({
    ...{ client: server.clientOf('ada'), transport: 'ws', approve: 'never' },
    assistant_id: 'clerk',
  })
  return runJob({
    ...{ run_id, set, asker, load, attempts: 5, max_seconds: 30 },
    target: { url: server.url, transport: 'ws', assistant_id: 'clerk', server_version: null },
  })
}
const look = { lang: 'en', width: 100, colour: false } as const

const before = await measure('before')
console.log(formatReport(before, look))
assert(before.is_complete)
assert.equal(before.counts.total, 30)
assert.equal(before.counts.passed, 20)
// Wrong answers are the agent's fault. Had the server failed, that would be counted apart.
assert.deepEqual(before.failures, { capability: 10, infrastructure: 0 })

facts.push('- returns: within 30 days.', '- opening: from 9 to 18, on Saturday too.')
await admin.agents.update('clerk', { system_prompt: facts.join('\n') })

const after = await measure('after')
assert.equal(after.counts.passed, 30)
const comparison = compareReports(before, after)
console.log(`\n${formatComparison(comparison, look)}`)
assert.equal(comparison.pass_rate.verdict, 'better')
const fixed = comparison.questions.filter(({ change }) => change === 'fixed')
assert.deepEqual(
  fixed.map(({ question_id }) => question_id),
  ['returns', 'opening'],
)

// For a pipeline: what was wrong is a failure of its test report.
assert.equal(toJUnit(before).match(/<failure/g)?.length, 10)
