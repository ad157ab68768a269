import type { Dataset, EvaluationReport, EvaluationRun } from '@dataagent/schema'
import { lastUserText, type RecordedRequest, temporaryDirectory, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const runs = '/evaluations/runs'

async function readRun(server: TestPlatform, run_id: string): Promise<EvaluationRun> {
  return (await server.ask<EvaluationRun>('GET', `${runs}/${run_id}`)).body
}

async function startRun(server: TestPlatform): Promise<string> {
  const questions = ['quick', 'slow'].map((question) => ({ question_id: question, question }))
  const json = { name: 'Two', questions }
  const { body } = await server.ask<Dataset>('POST', '/evaluations/datasets', { json })
  const settings = { dataset_id: body.dataset_id, concurrency: 1 }
  const run = await server.ask('POST', runs, { json: settings })
  return String(run.body.run_id)
}

test('a run that a restart has interrupted goes on where it was, when it is resumed', async () => {
  await using directory = await temporaryDirectory()
  const dir = directory.path
  let asked = 0
  const script = (request: RecordedRequest) => {
    if (lastUserText(request).includes('quick')) asked += 1
    const isSlow = lastUserText(request).includes('slow')
    return isSlow ? { text: 'x'.repeat(2_000), itl: 1_000 } : { text: 'Here.' }
  }
  let run_id = ''
  {
    await using first = await startTestPlatform({ dir, script })
    run_id = await startRun(first)
    await waitFor(async () => (await readRun(first, run_id)).counts.total === 1)
  }
  await using second = await startTestPlatform({ dir, script: () => ({ text: 'There.' }) })
  expect(await readRun(second, run_id)).toMatchObject({
    ...{ state: 'interrupted', counts: { total: 1, passed: 1 } },
  })
  const path = `${runs}/${run_id}/report`
  const partial = await second.ask<EvaluationReport>('GET', path)
  expect(partial.body).toMatchObject({ is_complete: false, counts: { total: 1 } })
  const resumed = await second.ask('POST', `${runs}/${run_id}/resume`)
  expect(resumed.status).toBe(200)
  await waitFor(async () => (await readRun(second, run_id)).state === 'done')
  const { body } = await second.ask<EvaluationReport>('GET', path)
  expect(body).toMatchObject({ is_complete: true, counts: { total: 2, passed: 2 } })
  expect(body.trials.map(({ answer }) => answer)).toEqual(['Here.', 'There.'])
  expect(asked).toBe(1)
  expect((await second.ask('POST', `${runs}/${run_id}/resume`)).status).toBe(409)
})

test('a run whose process has died shows as interrupted, with a report of what there is', async () => {
  await using server = await startTestPlatform({ script: () => ({ text: 'Here.' }) })
  const run_id = await startRun(server)
  await waitFor(async () => (await readRun(server, run_id)).state === 'done')
  const { runs: rows } = server.platform.tables.evaluations
  const whole = await rows.getWhole('acme', run_id)
  const dead = { ...whole!, run_id: 'dead', state: 'running', report: null } as const
  await rows.create({ ...dead, owner: 'gone', seen_at: server.platform.clock.now() - 60_000 })
  expect((await readRun(server, 'dead')).state).toBe('interrupted')
  const { status, body } = await server.ask<EvaluationReport>('GET', `${runs}/dead/report`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ is_complete: false, counts: { total: 0 } })
})

test('of a run that is resumed for the second time no pause is measured', async () => {
  await using server = await startTestPlatform({ script: () => ({ text: 'Here.' }) })
  const done = await startRun(server)
  await waitFor(async () => (await readRun(server, done)).state === 'done')
  const { runs: rows, trials } = server.platform.tables.evaluations
  const whole = await rows.getWhole('acme', done)
  const settings = { ...whole!.settings!, attempts: 2 }
  const key = { tenant_id: 'acme', run_id: 'twice' }
  await rows.create({ ...whole!, ...key, settings, planned: 4, state: 'interrupted', report: null })
  const [first, second] = await trials.list({ ...key, run_id: done }, { limit: 2, offset: 0 })
  const anHourLater = Number(first?.started_at) + 3_600_000
  const later = { ...second!, trial_id: 'later', started_at: anHourLater }
  await trials.add(key, 0, [{ ...first!, trial_id: 'first' }, later])
  expect((await server.ask('POST', `${runs}/twice/resume`)).status).toBe(200)
  await waitFor(async () => (await readRun(server, 'twice')).state === 'done')
  const { body } = await server.ask<EvaluationReport>('GET', `${runs}/twice/report`)
  expect(body.counts.total).toBe(4)
  expect(body.counts.total / body.throughput).toBeLessThan(600)
})

test('a run that another process has cancelled stops here', async () => {
  await using server = await startTestPlatform({
    script: () => ({ text: 'x'.repeat(20_000), itl: 1_000 }),
  })
  const run_id = await startRun(server)
  await waitFor(async () => (await readRun(server, run_id)).state === 'running')
  await waitFor(() => server.platform.runs.running === 1)
  const end = { state: 'cancelled', ended_at: server.platform.clock.now(), error: null } as const
  await server.platform.tables.evaluations.runs.end({ tenant_id: 'acme', run_id }, end)
  await waitFor(() => server.platform.runs.running === 0, { timeoutMs: 10_000 })
  expect((await readRun(server, run_id)).state).toBe('cancelled')
})
