import { readFile } from 'node:fs/promises'
import { createClient } from '@dataagent/client'
import { createClientAsker, parseQuestions, runJob } from '@dataagent/harbor'
import { longCount, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { runServer } from '../testing/test-server.ts'

const patience = { timeoutMs: 90_000 }
const file = new URL('../../../../packages/data/evaluations/retail.json', import.meta.url)

test('the demo model answers verified questions by run_sql, as the grader of harbor sees it', {
  timeout: 600_000,
}, async () => {
  const all = parseQuestions(await readFile(file, 'utf8'), { name: 'retail' })
  const verified = all.questions.filter(({ tags }) => tags.includes('verified'))
  // From all over the set, so that both languages and every topic are among them.
  const step = Math.ceil(verified.length / longCount(6, verified.length))
  const questions = verified.filter((_, at) => at % step === 0)
  await using directory = await temporaryDirectory()
  await using server = runServer({ dataDir: directory.path, env: { DATAAGENT_SAMPLES: 'auto' } })
  const apiKey = await server.shownKey()
  const url = await server.url()
  await waitFor(async () => (await fetch(`${url}/api/v1/ready`)).ok, patience)
  const client = createClient({ baseUrl: url, apiKey })
  const isOffered = async () =>
    (await client.data.sources()).sources.some(({ source_id }) => source_id === 'retail')
  await waitFor(isOffered, patience)
  await using asker = createClientAsker({
    // Nothing that it does needs anybody's leave.
    ...{ client, transport: 'rest', approve: 'never', sqlSource: 'retail' },
  })
  const { counts, trials } = await runJob({
    ...{ run_id: 'run-1', set: { ...all, questions }, asker, attempts: 1, max_seconds: 60 },
    load: {
      ...{ mode: 'closed', concurrency: 2, ramp_seconds: 0, warm_up_seconds: 0 },
      duration_seconds: null,
    },
    target: { url, transport: 'rest', assistant_id: null, server_version: null },
  })
  expect(trials.filter(({ status }) => status !== 'passed')).toEqual([])
  expect(counts).toMatchObject({ total: questions.length, passed: questions.length })
  for (const { tools } of trials) {
    expect(tools[0]?.name).toBe('run_sql')
    expect(new Set(tools.map(({ status }) => status))).toEqual(new Set(['success']))
  }
})
