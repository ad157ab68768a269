import { AsyncLocalStorage } from 'node:async_hooks'

const scope = new AsyncLocalStorage<string>()

/** Runs `work`; what it logs, through whichever logger, carries this request id. */
export function inRequest<T>(id: string, work: () => T): T {
  return scope.run(id, work)
}

export function currentRequestId(): string | undefined {
  return scope.getStore()
}
