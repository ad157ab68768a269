export { toCallAttributes, toMethodAttributes } from './call-attributes.ts'
export type {
  Attributes,
  Span,
  SpanOptions,
  Tracer,
} from './contract.ts'
export type { DroppedSpans } from './exporter.ts'
export { createIdSource, toTimeDigits } from './trace-context.ts'
export { createTracer, noTracer, type TracerOptions } from './tracer.ts'
