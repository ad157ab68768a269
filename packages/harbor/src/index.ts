export {
  type ClientAskerOptions,
  createClientAsker,
  createTally,
  type Tally,
} from './ask/index.ts'
export type {
  Asker,
  ExpectedTable,
  JobOptions,
  Journal,
  KeptRows,
  Outcome,
  Progress,
  QuestionSet,
  ResultTable,
  ShownTable,
  Transcript,
  TranscriptEvent,
  Transcripts,
  Way,
} from './contract.ts'
export { runJob } from './job/index.ts'
export {
  type JournalHeader,
  type OpenJournal,
  openJournal,
  openTranscripts,
} from './journal/index.ts'
export { createLangfuse } from './langfuse/index.ts'
export { createLangSmith } from './langsmith/index.ts'
export {
  createTimes,
  differenceOfMeans,
  differenceOfQuantiles,
  differenceOfShares,
  type Interval,
  type Share,
  smallestVisibleChange,
  type TimesRecorder,
  wilson,
} from './measure/index.ts'
export {
  formatOf,
  type ParseOptions,
  parseQuestions,
  type QuestionFormat,
  toPromptfoo,
} from './questions/index.ts'
export {
  compareReports,
  type FormatOptions,
  formatComparison,
  formatReport,
  type HtmlOptions,
  type Lang,
  type ReportParts,
  toHtml,
  toJUnit,
  toReport,
} from './report/index.ts'
export type { Sink, SinkOptions, SinkSummary } from './sinks/index.ts'
export { classify, type VerifiedAnswer, verifyAnswer } from './verify/index.ts'
