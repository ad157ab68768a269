import { readFile } from 'node:fs/promises'
import { createClient } from '@dataagent/client'
import { createClientAsker, parseQuestions, runJob } from '@dataagent/harbor'
import type { EvaluationReport, Question } from '@dataagent/schema'
import { temporaryDirectory, waitFor } from '@dataagent/testkit'
import { runServer } from './test-server.ts'

const patience = { timeoutMs: 90_000 }
const file = new URL('../../../../packages/data/evaluations/retail.json', import.meta.url)

/** The evaluation set of the sample. */
export async function readRetailSet() {
  return parseQuestions(await readFile(file, 'utf8'), { name: 'retail' })
}

export interface RetailServer extends AsyncDisposable {
  /** Asks these questions of the set as harbor asks and grades. */
  run(questions: readonly Question[]): Promise<EvaluationReport>
}

/** The real program with its sample, and a key for it. */
export async function startRetailServer(env: Record<string, string> = {}): Promise<RetailServer> {
  await using cleanup = new AsyncDisposableStack()
  const { path: dataDir } = cleanup.use(await temporaryDirectory())
  const server = cleanup.use(runServer({ dataDir, env: { DATAAGENT_SAMPLES: 'auto', ...env } }))
  const apiKey = await server.shownKey()
  const url = await server.url()
  await waitFor(async () => (await fetch(`${url}/api/v1/ready`)).ok, patience)
  const client = createClient({ baseUrl: url, apiKey })
  const isOffered = async () =>
    (await client.data.sources()).sources.some(({ source_id }) => source_id === 'retail')
  await waitFor(isOffered, patience)
  const asker = cleanup.use(
    createClientAsker({
      // Nothing that it does needs anybody's leave.
      ...{ client, transport: 'rest', approve: 'never', sqlSource: 'retail' },
    }),
  )
  const set = await readRetailSet()
  const moved = cleanup.move()
  return {
    run: (questions) =>
      runJob({
        ...{ run_id: 'run-1', asker, attempts: 1, max_seconds: 60 },
        set: { ...set, questions: [...questions] },
        load: {
          ...{ mode: 'closed', concurrency: 2, ramp_seconds: 0, warm_up_seconds: 0 },
          duration_seconds: null,
        },
        target: { url, transport: 'rest', assistant_id: null, server_version: null },
      }),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}
