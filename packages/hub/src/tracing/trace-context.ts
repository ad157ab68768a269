import { randomBytes } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { TraceContext } from '@dataagent/mcp'

/** What a traceparent says. */
export interface ParentContext {
  trace_id: string
  span_id: string
  isSampled: boolean
  /** The trace id is random, as level 2 of W3C Trace Context can say. */
  isRandom: boolean
  tracestate: string | undefined
}

const sampledFlag = 1
const randomFlag = 2
const pattern = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/
/** W3C Trace Context, section 3.3.1.5: at least this much must be passed on. */
const tracestateMax = 512

/**
 * Reads W3C trace context; undefined where it is not valid, and a trace begins anew. A version
 * later than 00 is read as far as it is known (section 3.2.2.1).
 */
export function parseTraceContext(context: TraceContext | undefined): ParentContext | undefined {
  const match = context && pattern.exec(context.traceparent ?? '')
  if (!match) return undefined
  const [, version, trace_id = '', span_id = '', flags = '', more] = match
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  if (isZero(trace_id) || isZero(span_id)) return undefined
  const bits = Number.parseInt(flags, 16)
  const { tracestate } = context
  return {
    trace_id,
    span_id,
    isSampled: (bits & sampledFlag) !== 0,
    isRandom: (bits & randomFlag) !== 0,
    tracestate: tracestate && tracestate.length <= tracestateMax ? tracestate : undefined,
  }
}

/** Baggage is not passed on: it is the caller's, and the next hop may be anyone's. */
export function toTraceContext(span: ParentContext): TraceContext {
  const { trace_id, span_id, isSampled, isRandom, tracestate } = span
  const flags = (isSampled ? sampledFlag : 0) + (isRandom ? randomFlag : 0)
  const traceparent = `00-${trace_id}-${span_id}-0${flags}`
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate }
}

/** Makes random ids from a pool, so that one costs no call of the operating system. */
export function createIdSource(): (digits: 16 | 32) => string {
  let pool = ''
  let at = 0
  return (digits) => {
    if (at + digits > pool.length) {
      pool = randomBytes(4_096).toString('hex')
      at = 0
    }
    const id = pool.slice(at, at + digits)
    at += digits
    return isZero(id) ? `${id.slice(1)}1` : id
  }
}

/**
 * Makes ids of traces that begin with the time, so that a database finds room for the next one
 * beside the last. Of their digits 20 are random: level 2 of W3C Trace Context wants the last 14.
 */
export function createTraceIdSource(clock: Clock, nextId = createIdSource()): () => string {
  return () => toTimeDigits(clock.now()) + nextId(32).slice(timeDigits)
}

const timeDigits = 12

/** Milliseconds since 1970 as 12 hexadecimal digits, as version 7 of UUIDs begins with them. */
export function toTimeDigits(now: number): string {
  return Math.max(0, Math.floor(now)).toString(16).padStart(timeDigits, '0').slice(-timeDigits)
}

/** Whether a trace that begins here is among those kept; by its id, so that all hops agree. */
export function isChosen(trace_id: string, ratio: number): boolean {
  if (ratio >= 1) return true
  return Number.parseInt(trace_id.slice(-13), 16) < ratio * 2 ** 52
}

function isZero(id: string): boolean {
  return id[0] === '0' && /^0+$/.test(id)
}
