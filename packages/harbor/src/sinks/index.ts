export { type Calls, Fault } from './calls.ts'
export type { Asked, Service, Sink, SinkOptions, SinkSummary } from './contract.ts'
export { createSink } from './create-sink.ts'
export {
  type Example,
  isSame,
  type Span,
  toAnswer,
  toExample,
  toScores,
  toSpan,
  toToolSpans,
  toTrialMetadata,
} from './example.ts'
export { inParts } from './in-parts.ts'
