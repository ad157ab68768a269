import type { Clock } from '@dataagent/guard'
import type { JsonRecord } from './answer-decoder.ts'

/** How long an answer asks to be left alone, in milliseconds; undefined where it does not say. */
export function readRetryAfter(headers: JsonRecord, clock: Clock): number | undefined {
  const ms = toMs(headers['retry-after-ms'], 1)
  if (ms !== undefined) return ms
  const after = headers['retry-after']
  return toMs(after, 1_000) ?? untilDate(after, clock)
}

function toMs(value: unknown, unit: number): number | undefined {
  if (typeof value !== 'string' || !/^\s*\d{1,9}(\.\d{1,9})?\s*$/.test(value)) return undefined
  return Math.ceil(Number(value) * unit)
}

function untilDate(value: unknown, clock: Clock): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now())
}
