import type { Clock } from '@dataagent/guard'
import { AppError, type ErrorCode, errorTable } from '@dataagent/schema'
import { awayError } from './state.ts'

export interface IpcCallsOptions {
  clock: Clock
  timeoutMs: number
  maxPending: number
  send(id: number, method: string, args: unknown[]): void
}

/** Calls that wait for their answer, each for a bounded time. */
export interface IpcCalls {
  call(method: string, ...args: unknown[]): Promise<unknown>
  succeed(id: number, value: unknown): void
  fail(id: number, code: string, message: string): void
  /** Rejects what waits and all later calls. */
  end(reason: string): void
}

interface Pending {
  resolve(value: unknown): void
  reject(error: AppError): void
  cancelTimeout(): void
}

export function createIpcCalls({ clock, timeoutMs, maxPending, send }: IpcCallsOptions): IpcCalls {
  const pending = new Map<number, Pending>()
  let lastId = 0
  let ended: string | undefined

  function settle(id: number, how: (waiting: Pending) => void): void {
    const waiting = pending.get(id)
    if (waiting === undefined) return
    pending.delete(id)
    waiting.cancelTimeout()
    how(waiting)
  }

  return {
    call: (method, ...args) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) throw awayError(ended)
        if (pending.size >= maxPending) throw awayError(`${maxPending} calls are waiting already`)
        const id = ++lastId
        const cancelTimeout = clock.after(timeoutMs, () => {
          pending.delete(id)
          reject(awayError(`the parent process did not answer in ${timeoutMs} ms`))
        })
        pending.set(id, { resolve, reject, cancelTimeout })
        send(id, method, args)
      }),
    succeed: (id, value) => settle(id, (waiting) => waiting.resolve(value ?? undefined)),
    fail: (id, code, message) => settle(id, (waiting) => waiting.reject(toError(code, message))),
    end(reason) {
      ended ??= reason
      for (const id of [...pending.keys()]) settle(id, ({ reject }) => reject(awayError(reason)))
    },
  }
}

function toError(code: string, message: string): AppError {
  return new AppError(Object.hasOwn(errorTable, code) ? (code as ErrorCode) : 'internal', message)
}
