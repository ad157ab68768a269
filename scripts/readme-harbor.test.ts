import { join } from 'node:path'
import { startModelStandIn, temporaryDirectory } from '@dataagent/testkit'
import { describePrograms, describeTables, readPage, testLinks } from './readme/describe-page.ts'
import { startServerProcess } from './readme/test-server-process.ts'

const page = await readPage('the page of harbor', 'packages/harbor')

await describeTables(page, ['JobOptions', 'ClientAskerOptions'])

describePrograms(page, {
  async startPlaces(cleanup) {
    const model = cleanup.use(await startModelStandIn())
    const { path } = cleanup.use(await temporaryDirectory())
    const env = {
      ...{ OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: model.apiKey },
      DATAAGENT_MODEL: 'openai:standin',
    }
    const server = cleanup.use(await startServerProcess(join(path, 'data'), env))
    return {
      ...{ 'http://localhost:8000': server.url, 'your key': server.key },
      'runs/smoke.jsonl': join(path, 'smoke.jsonl'),
    }
  },
  // Which of the two ends first is not said.
  prints: [/^(q1 passed\nq2 failed|q2 failed\nq1 passed)\n\{ total: 2, passed: 1, failed: 1/],
})

testLinks(page)
