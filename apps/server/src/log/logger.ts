import { format } from 'node:util'
import type { Masker } from '@dataagent/guard'
import type { FastifyBaseLogger } from 'fastify'
import { type Logger as PinoLogger, pino } from 'pino'
import type { Config } from '../config/index.ts'
import { currentRequestId, currentSpan, type ScopeSpan } from './request-scope.ts'

/** Where records go: one call a record, which ends with a new line. */
export interface LogSink {
  write(line: string): void
}

export interface LoggerOptions {
  level: Config['log_level']
  masker: Masker
  sink: LogSink
}

export type Logger = PinoLogger & FastifyBaseLogger

const names: Record<string, string> = { trace: 'debug', warn: 'warning', fatal: 'error' }

/**
 * Logs one JSON record a line with `timestamp`, `level`, `message`, `request_id` (null outside a
 * request), within a traced one `trace_id` and `span_id`, and whatever else the call gives. Secrets
 * are masked and lengths capped here, whoever calls.
 */
export function createLogger({ level, masker, sink }: LoggerOptions): Logger {
  const logger = pino(
    {
      level: level === 'warning' ? 'warn' : level,
      base: null,
      messageKey: 'message',
      errorKey: 'error',
      timestamp: () => `,"timestamp":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: names[label] ?? label }),
        log: (fields) => toRecord(fields, masker),
      },
      serializers: { error: asIs, err: asIs, req: asIs, res: asIs },
      mixin: (_fields, _level, source) => ({
        request_id: requestIdOf(source),
        ...traceIdsOf(source),
      }),
      hooks: {
        logMethod(args, method) {
          const { fields, message } = splitArguments(args)
          method.call(this, fields, masker.maskText(message))
        },
        streamWrite: escapeLineBreaks,
      },
    },
    sink,
  )
  maskBindings(logger, masker)
  return logger as Logger
}

/**
 * A child's bindings are written as they are given, past every formatter: they are masked on the
 * way in.
 */
function maskBindings(logger: PinoLogger, masker: Masker): void {
  const { child } = logger
  Object.defineProperty(logger, 'child', {
    value(this: PinoLogger, bindings: object, options: object) {
      return child.call(this, toRecord(bindings, masker), options)
    },
  })
}

const requestId = Symbol('request id')

/**
 * The same logger for one request: each record carries its id, also after the request's own flow
 * has ended.
 */
export function createRequestLogger(logger: Logger, id: string): Logger {
  const child = logger.child({})
  Object.defineProperty(child, requestId, { value: id })
  return child as Logger
}

const spanOf = Symbol('span')

/** From now on the records of a request's logger carry the ids of its span. */
export function bindSpan(logger: FastifyBaseLogger, span: ScopeSpan): void {
  Object.defineProperty(logger, spanOf, { value: span })
}

function traceIdsOf(source: object): { trace_id: string; span_id: string } | undefined {
  const span = (source as { [spanOf]?: ScopeSpan })[spanOf] ?? currentSpan()
  return span && { trace_id: span.trace_id, span_id: span.span_id }
}

function requestIdOf(source: object): string | null {
  return (source as { [requestId]?: string })[requestId] ?? currentRequestId() ?? null
}

function splitArguments(args: unknown[]): { fields: object; message: string } {
  const [first, ...rest] = args
  if (typeof first === 'string') return { fields: {}, message: format(...args) }
  const fields = first instanceof Error ? { error: first } : ((first as object | null) ?? {})
  if (rest.length > 0) return { fields, message: format(...rest) }
  const { error, err } = fields as { error?: unknown; err?: unknown }
  const cause = error ?? err
  return { fields, message: cause instanceof Error ? cause.message : '' }
}

function toRecord(fields: object, masker: Masker): Record<string, unknown> {
  const { err, ...rest } = fields as Record<string, unknown>
  const named = err === undefined ? rest : { ...rest, error: err }
  return masker.mask(named) as Record<string, unknown>
}

function asIs(value: unknown): unknown {
  return value
}

/**
 * JSON leaves some characters alone that programs other than JSON parsers take for a new line or a
 * terminal command.
 */
function escapeLineBreaks(line: string): string {
  return line.replace(
    /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
