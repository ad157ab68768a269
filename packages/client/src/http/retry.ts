import { type ErrorCode, errorTable } from '@dataagent/schema'
import { type ClientError, isClientError } from '../client-error.ts'
import { pause } from '../pause.ts'

const attemptsMax = 4
/** What all pauses of one request may take together. */
const budgetMs = 10_000
const firstPauseMs = 200
/** What is busy is not asked more often, whatever the server says. */
const busyMs = 50
const passing = new Set([0, 429, 502, 503])

export interface RetryOptions {
  signal?: AbortSignal | undefined
  /** Whether what is busy is waited for until the signal, however long. */
  isPatient?: boolean | undefined
}

/** Tries again after what may pass, as long as the budget lasts. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { signal, isPatient = false }: RetryOptions,
): Promise<T> {
  let left = budgetMs
  for (let made = 1; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (!isClientError(error) || !(mayPass(error) || isBusy(error))) throw error
      if (isPatient && isBusy(error)) {
        await pause(Math.max(error.retryAfterMs ?? 0, busyMs), signal)
        continue
      }
      const ms = error.retryAfterMs ?? firstPauseMs * 2 ** (made - 1) * (0.5 + Math.random() / 2)
      if (made === attemptsMax || ms > left) throw error
      made += 1
      left -= ms
      await pause(ms, signal)
    }
  }
}

/** A conflict with something that ends: the server says when to ask again. Unlike a repetition. */
function isBusy({ status, retryAfterMs, details }: ClientError): boolean {
  return status === 409 && retryAfterMs !== undefined && details?.received !== true
}

/** Whether the same request may succeed a little later. */
export function mayPass({ status, error_code }: ClientError): boolean {
  if (!passing.has(status) || error_code === 'invalid_answer') return false
  return !isErrorCode(error_code) || errorTable[error_code].retryable
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorTable, code)
}
