export { checkChart } from './charts/index.ts'
export {
  type CitationInput,
  type CitationMark,
  type CitedQuery,
  checkCitations,
  findCitations,
} from './citations/index.ts'
export {
  type AddressCheck,
  createRunnerBudget,
  type DatabaseAddress,
  type Engine,
  type EngineMeans,
  type EngineSource,
  openEngine,
} from './engines/index.ts'
export {
  type ChartSvgInput,
  type CsvOptions,
  type ExportedResult,
  type ExportStream,
  toChartHtml,
  toChartSvg,
  writeCsv,
  writeXlsx,
  type XlsxOptions,
  type XlsxStream,
} from './exports/index.ts'
export { type ServeDataOptions, serveDataOverStdio } from './mcp-server/index.ts'
export type { SourceNotes, TableNotes } from './ports.ts'
export { type AskContext, createQueries, type NewQuery, type Queries } from './queries/index.ts'
export {
  createQuestionMatcher,
  type QuestionMatch,
  type QuestionMatcher,
} from './questions/index.ts'
export { type KeptResults, openKeptResults } from './results/index.ts'
export {
  makeRetailSample,
  type RetailSample,
  type RetailSampleOptions,
  retailDefinitions,
  retailQuestions,
  retailTables,
  type SampleQuestion,
  type TableDescription,
} from './sample/index.ts'
export {
  createSources,
  type NewSource,
  type SourceChange,
  type Sources,
  type SourcesOptions,
} from './sources/index.ts'
export {
  createDataTools,
  type DataToolMeans,
  type OutputFiles,
  toDescribedWords,
} from './tools/index.ts'
