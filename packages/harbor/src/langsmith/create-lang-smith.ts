import type { EvaluationReport } from '@dataagent/schema'
import type { Client } from 'langsmith/client'
import {
  type Calls,
  createSink,
  inParts,
  type Service,
  type Sink,
  type SinkOptions,
  toScores,
} from '../sinks/index.ts'
import { type Dataset, ensureDataset } from './ensure-dataset.ts'
import { createQuietFetch } from './quiet-fetch.ts'
import { type RunRecord, toRuns } from './to-runs.ts'

/**
 * LangSmith, where `LANGSMITH_API_KEY` is set and `LANGSMITH_TRACING_V2` or `LANGSMITH_TRACING` is
 * `true`: the questions as a dataset, a trace for each asking, and feedback on each. With
 * `LANGSMITH_PROJECT` the traces are in that project, else in an experiment of the dataset.
 */
export function createLangSmith(options: SinkOptions): Sink | undefined {
  const { env } = options
  const settings = {
    apiKey: env.LANGSMITH_API_KEY?.trim() ?? '',
    apiUrl: (env.LANGSMITH_ENDPOINT ?? 'https://api.smith.langchain.com').replace(/\/+$/, ''),
    workspaceId: env.LANGSMITH_WORKSPACE_ID,
    project: env.LANGSMITH_PROJECT,
  }
  const isOn = [env.LANGSMITH_TRACING_V2, env.LANGSMITH_TRACING].some(
    (value) => value?.toLowerCase() === 'true',
  )
  if (settings.apiKey === '' || !isOn) return undefined
  return createSink('LangSmith', options, (calls) => toService(calls, settings))
}

interface Settings {
  apiKey: string
  apiUrl: string
  workspaceId: string | undefined
  project: string | undefined
}

/** Feedback that is sent at once. */
const atOnce = 8

function toService(calls: Calls, settings: Settings): Service {
  const { fetch, greet, check, takesExamples } = createQuietFetch(calls, settings.apiUrl)
  let client: Client | undefined
  let begun: { run_id: string; dataset: Dataset; project: { id: string; name: string } } | undefined

  async function send(runs: RunRecord[]): Promise<void> {
    for (const run of runs) await client!.createRun(run)
    await client!.flush()
    await client!.awaitPendingTraceBatches()
    check()
  }

  return {
    async begin(set, { run_id }) {
      await greet()
      client ??= await createClient(settings, fetch)
      const dataset = await ensureDataset(client, set, { takesExamples: takesExamples() })
      const name = settings.project ?? `${set.name} ${run_id}`
      const { id } = await client.createProject({
        ...{ projectName: name, upsert: true },
        ...(settings.project === undefined && { referenceDatasetId: dataset.id }),
      })
      begun = { run_id, dataset, project: { id, name } }
    },
    async send(batch) {
      const { run_id, dataset, project } = begun!
      const told = batch.map((asked) => {
        const example_id = dataset.examples.get(asked.question.question_id)
        const runs = toRuns(asked, { run_id, project_name: project.name, example_id })
        return { runs, trial: asked.trial }
      })
      await send(told.flatMap(({ runs }) => runs))
      const feedback = told.flatMap(({ runs: [root], trial }) =>
        toScores(trial).map((score) => ({ root, score })),
      )
      await inParts(feedback, atOnce, ({ root, score: { key, value, comment } }) =>
        client!.createFeedback({
          ...{ runId: root.id, sessionId: project.id, startTime: root.start_time, key },
          ...(typeof value === 'number' ? { score: value } : { value }),
          ...(comment !== null && { comment }),
        }),
      )
    },
    async end(report) {
      // A project that was named is not only of this run.
      if (settings.project !== undefined || begun === undefined) return
      const { id } = begun.project
      await client!.createFeedback({
        projectId: id,
        key: 'pass_rate',
        score: report.pass_rate.value,
      })
      const endTime = new Date(report.ended_at).toISOString()
      await client!.updateProject(id, { endTime, metadata: toSummary(report) })
    },
    place: () => begun?.project.name ?? null,
  }
}

function toSummary(report: EvaluationReport): Record<string, unknown> {
  const { run_id, is_complete, counts, throughput, target, cost } = report
  const { mean, p95 } = report.times.total
  return { run_id, is_complete, ...counts, throughput, ...target, cost, mean_ms: mean, p95_ms: p95 }
}

/** What it would read of the environment by itself is given, or of no use here. */
async function createClient(settings: Settings, fetch: typeof globalThis.fetch): Promise<Client> {
  const { Client } = await import('langsmith/client')
  const { apiKey, apiUrl, workspaceId } = settings
  return new Client({
    ...{ apiKey, apiUrl, fetchImplementation: fetch },
    ...(workspaceId !== undefined && { workspaceId }),
    ...{ autoBatchTracing: true, tracingMode: 'langsmith', tracingSamplingRate: 1 },
    ...{ omitTracedRuntimeInfo: true, disablePromptCache: true, debug: false },
    callerOptions: { maxRetries: 0 },
  })
}
