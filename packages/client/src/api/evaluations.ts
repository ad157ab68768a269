import {
  type ComparisonQuery,
  comparisonSchema,
  type DatasetCreate,
  type DatasetImport,
  type DatasetUpdate,
  datasetSchema,
  datasetsPageSchema,
  type EvaluationReport,
  type EvaluationRunCreate,
  type EvaluationRunsQuery,
  evaluationReportSchema,
  evaluationRunInfoSchema,
  evaluationRunSchema,
  evaluationRunsPageSchema,
  type PageQuery,
  type ReportQuery,
  type TrialsQuery,
  trialsPageSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

/** Sets of questions, runs of them, and what those came to. */
export function createEvaluationsApi(verbs: Verbs) {
  return { ...createDatasetMethods(verbs), ...createRunMethods(verbs) }
}

const datasets = '/evaluations/datasets'
const runs = '/evaluations/runs'

function createDatasetMethods({ get, create, put, tell, open }: Verbs) {
  const answer = datasetSchema
  return {
    datasets: (query: QueryOf<PageQuery> = {}, options?: CallOptions) =>
      get(datasets, { query, answer: datasetsPageSchema, ...options }),
    createDataset: (body: DatasetCreate, options?: CallOptions) =>
      create(datasets, { body, answer, ...options }),
    importDataset: (body: DatasetImport, options?: CallOptions) =>
      create(`${datasets}/import`, { body, answer, ...options }),
    dataset: (dataset_id: string, options?: CallOptions) =>
      get(toPath`/evaluations/datasets/${dataset_id}`, { answer, ...options }),
    updateDataset: (dataset_id: string, body: DatasetUpdate, options?: CallOptions) =>
      put(toPath`/evaluations/datasets/${dataset_id}`, { body, answer, ...options }),
    deleteDataset: (dataset_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/evaluations/datasets/${dataset_id}`, options),
    /** The file, as the answer that holds it. */
    exportDataset: (dataset_id: string, options?: CallOptions) =>
      open(toPath`/evaluations/datasets/${dataset_id}/export`, { accept: '*/*', ...options }),
  }
}

function createRunMethods({ get, create, post, tell, open }: Verbs) {
  const answer = evaluationRunInfoSchema
  return {
    runs: (query: QueryOf<EvaluationRunsQuery> = {}, options?: CallOptions) =>
      get(runs, { query, answer: evaluationRunsPageSchema, ...options }),
    start: (body: EvaluationRunCreate, options?: CallOptions) =>
      create(runs, { body, answer, ...options }),
    /** A report that was made elsewhere. */
    upload: (body: EvaluationReport, options?: CallOptions) =>
      post(`${runs}/upload`, { body, answer, ...options }),
    run: (run_id: string, options?: CallOptions) =>
      get(toPath`/evaluations/runs/${run_id}`, { answer: evaluationRunSchema, ...options }),
    cancel: (run_id: string, options?: CallOptions) =>
      post(toPath`/evaluations/runs/${run_id}/cancel`, { answer, ...options }),
    resume: (run_id: string, options?: CallOptions) =>
      post(toPath`/evaluations/runs/${run_id}/resume`, { answer, ...options }),
    delete: (run_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/evaluations/runs/${run_id}`, options),
    trials: (run_id: string, query: QueryOf<TrialsQuery> = {}, options?: CallOptions) =>
      get(toPath`/evaluations/runs/${run_id}/trials`, {
        ...{ query, answer: trialsPageSchema, ...options },
      }),
    report: (run_id: string, options?: CallOptions) =>
      get(toPath`/evaluations/runs/${run_id}/report`, {
        ...{ query: { format: 'json' }, answer: evaluationReportSchema, ...options },
      }),
    /** The file, as the answer that holds it. */
    exportReport: (run_id: string, query: QueryOf<ReportQuery>, options?: CallOptions) =>
      open(toPath`/evaluations/runs/${run_id}/report`, { query, accept: '*/*', ...options }),
    compare: (run_id: string, query: QueryOf<ComparisonQuery> = {}, options?: CallOptions) =>
      get(toPath`/evaluations/runs/${run_id}/comparison`, {
        ...{ query, answer: comparisonSchema, ...options },
      }),
  }
}
