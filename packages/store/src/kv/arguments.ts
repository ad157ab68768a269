import { AppError } from '@dataagent/schema'
import type { CounterBounds, WindowLimit } from './kv.ts'

const longestKey = 1_024

/** Refuses a key that a store would keep differently from another. */
export function checkKey(key: string): void {
  if (key.length === 0 || key.length > longestKey || key.startsWith('#')) {
    throw invalid(`A key has 1 to ${longestKey} characters and does not begin with #.`)
  }
}

export function checkTtl(ttlMs: number | undefined): void {
  if (ttlMs !== undefined && !(Number.isSafeInteger(ttlMs) && ttlMs >= 1)) {
    throw invalid('A time to live is a whole number of milliseconds from 1.')
  }
}

export interface CheckedLimit {
  max: number
  windowMs: number
  cost: number
}

export function checkLimit({ max, windowMs, cost = 1 }: WindowLimit): CheckedLimit {
  if (!(isCount(max) && isCount(cost) && isCount(windowMs) && windowMs >= 1)) {
    throw invalid('A limit needs whole numbers: windowMs from 1, max and cost from 0.')
  }
  return { max, windowMs, cost }
}

export interface CheckedBounds {
  max: number
  min: number
  ttlMs: number | undefined
}

export function checkChange(by: number, bounds: CounterBounds): CheckedBounds {
  const { max = Number.MAX_SAFE_INTEGER, min = Number.MIN_SAFE_INTEGER, ttlMs } = bounds
  checkTtl(ttlMs)
  if (![by, max, min].every(Number.isSafeInteger)) {
    throw invalid('A counter, its change and its bounds are whole numbers.')
  }
  return { max, min, ttlMs }
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function invalid(message: string): AppError {
  return new AppError('invalid_request', message)
}
