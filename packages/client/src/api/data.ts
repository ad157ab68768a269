import {
  type ChartSpec,
  type DataChartQuery,
  type DataDefinitionUpdate,
  type DataExportQuery,
  type DataQueriesQuery,
  type DataQueryCreate,
  type DataQueryLogQuery,
  type DataQuestionRunRequest,
  type DataQuestionsQuery,
  type DataQuestionUpdate,
  type DataRowsQuery,
  type DataSourceCreateInput,
  type DataSourceNotes,
  type DataSourceUpdateInput,
  type DataTablesQuery,
  dataDefinitionListSchema,
  dataDefinitionSchema,
  dataPlanSchema,
  dataQueriesPageSchema,
  dataQueryLogPageSchema,
  dataQuestionSchema,
  dataQuestionsPageSchema,
  dataRowsPageSchema,
  dataSourceListSchema,
  dataSourceNotesSchema,
  dataSourceSchema,
  dataTableListSchema,
  queryResultSchema,
} from '@dataagent/schema'
import { type CallOptions, type QueryOf, toPath, type Verbs } from '../http/index.ts'

/** Sources of data, what their words mean, and queries with their rows. */
export function createDataApi(verbs: Verbs) {
  return {
    ...createSourceMethods(verbs),
    ...createMeaningMethods(verbs),
    ...createQueryMethods(verbs),
  }
}

function createSourceMethods({ get, create, post, put, patch, tell }: Verbs) {
  const answer = dataSourceSchema
  const notes = dataSourceNotesSchema
  return {
    sources: (options?: CallOptions) =>
      get('/data/sources', { answer: dataSourceListSchema, ...options }),
    createSource: (body: DataSourceCreateInput, options?: CallOptions) =>
      create('/data/sources', { body, answer, ...options }),
    updateSource: (source_id: string, body: DataSourceUpdateInput, options?: CallOptions) =>
      patch(toPath`/data/sources/${source_id}`, { body, answer, ...options }),
    deleteSource: (source_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/data/sources/${source_id}`, options),
    /** Connects, and tells in its `status` what came of it. */
    checkSource: (source_id: string, options?: CallOptions) =>
      post(toPath`/data/sources/${source_id}/check`, { answer, ...options }),
    notes: (source_id: string, options?: CallOptions) =>
      get(toPath`/data/sources/${source_id}/notes`, { answer: notes, ...options }),
    setNotes: (source_id: string, body: DataSourceNotes, options?: CallOptions) =>
      put(toPath`/data/sources/${source_id}/notes`, { body, answer: notes, ...options }),
    tables: (source_id: string, query: QueryOf<DataTablesQuery> = {}, options?: CallOptions) =>
      get(toPath`/data/sources/${source_id}/tables`, {
        ...{ query, answer: dataTableListSchema, ...options },
      }),
  }
}

function createMeaningMethods({ get, create, put, tell }: Verbs) {
  return {
    definitions: (options?: CallOptions) =>
      get('/data/definitions', { answer: dataDefinitionListSchema, ...options }),
    putDefinition: (definition_id: string, body: DataDefinitionUpdate, options?: CallOptions) =>
      put(toPath`/data/definitions/${definition_id}`, {
        ...{ body, answer: dataDefinitionSchema, ...options },
      }),
    deleteDefinition: (definition_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/data/definitions/${definition_id}`, options),
    questions: (query: QueryOf<DataQuestionsQuery> = {}, options?: CallOptions) =>
      get('/data/questions', { query, answer: dataQuestionsPageSchema, ...options }),
    putQuestion: (question_id: string, body: DataQuestionUpdate, options?: CallOptions) =>
      put(toPath`/data/questions/${question_id}`, {
        ...{ body, answer: dataQuestionSchema, ...options },
      }),
    deleteQuestion: (question_id: string, options?: CallOptions) =>
      tell('DELETE', toPath`/data/questions/${question_id}`, options),
    runQuestion: (question_id: string, body: DataQuestionRunRequest = {}, options?: CallOptions) =>
      create(toPath`/data/questions/${question_id}/run`, {
        ...{ body, answer: queryResultSchema, ...options },
      }),
  }
}

function createQueryMethods({ get, create, open }: Verbs) {
  const answer = queryResultSchema
  return {
    run: (body: DataQueryCreate, options?: CallOptions) =>
      create('/data/queries', { body, answer, ...options }),
    query: (query_id: string, options?: CallOptions) =>
      get(toPath`/data/queries/${query_id}`, { answer, ...options }),
    rows: (query_id: string, query: QueryOf<DataRowsQuery> = {}, options?: CallOptions) =>
      get(toPath`/data/queries/${query_id}/rows`, {
        ...{ query, answer: dataRowsPageSchema, ...options },
      }),
    /** How the source would run it. */
    plan: (query_id: string, options?: CallOptions) =>
      get(toPath`/data/queries/${query_id}/plan`, { answer: dataPlanSchema, ...options }),
    /** The file, as the answer that holds it. */
    export: (query_id: string, query: QueryOf<DataExportQuery> = {}, options?: CallOptions) =>
      open(toPath`/data/queries/${query_id}/export`, { query, accept: '*/*', ...options }),
    /** An SVG image, as the answer that holds it. */
    chart: (query_id: string, { chart, ...looks }: ChartOf, options?: CallOptions) =>
      open(toPath`/data/queries/${query_id}/chart.svg`, {
        ...{ query: { spec: JSON.stringify(chart), ...looks }, accept: '*/*', ...options },
      }),
    ofSession: (session_id: string, query: QueryOf<DataQueriesQuery> = {}, options?: CallOptions) =>
      get(toPath`/sessions/${session_id}/queries`, {
        ...{ query, answer: dataQueriesPageSchema, ...options },
      }),
    /** What was asked in the tenant, for who manages or audits it. */
    log: (query: QueryOf<DataQueryLogQuery> = {}, options?: CallOptions) =>
      get('/data/queries', { query, answer: dataQueryLogPageSchema, ...options }),
  }
}

type ChartOf = { chart: ChartSpec } & QueryOf<Omit<DataChartQuery, 'spec'>>
