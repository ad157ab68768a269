import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ArrivalOptions } from './turns.ts'

/** What a load came to while it lasted. */
export interface LoadFigures {
  /** As was wanted. */
  perSecond: number
  seconds: number
  asked: number
  answered: number
  /** Told that there is too much to do. */
  shed: number
}

/** What its thread says at the end. */
export interface LoadReport extends LoadFigures {
  failures: readonly string[]
}

export interface LoadApart extends AsyncDisposable {
  /** Throws where the load failed, or was less than wanted. */
  end(): Promise<LoadFigures>
}

/** Arrivals from a thread of their own: what is timed beside them does not wait for their work. */
export function startArrivalsApart(options: ArrivalOptions): LoadApart {
  const worker = new Worker(new URL('./load-thread.ts', import.meta.url), { workerData: options })
  const told = once(worker, 'message')
  told.catch(() => {})
  return {
    async end() {
      worker.postMessage('end')
      const [{ failures, ...figures }] = (await told) as [LoadReport]
      if (failures.length > 0) throw new Error(failures.slice(0, 3).join('\n'))
      const { perSecond, seconds, asked } = figures
      if (asked < 0.9 * perSecond * seconds) {
        throw new Error(`${asked} were asked in ${seconds} s, not ${perSecond} a second`)
      }
      return figures
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}
