import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'

/** A thread for work whose cost others decide: it can be ended at any moment. */
export interface Thread extends AsyncDisposable {
  /**
   * Sends a message and gives the answer. One at a time. Throws `timeout` when the thread's time is
   * over, `too_large` when its memory is, `cancelled`.
   */
  ask<Answer>(message: object): Promise<Answer>
}

export interface ThreadOptions {
  clock: Clock
  /** For all that is asked together. */
  timeoutMs: number
  memoryMb: number
  signal: AbortSignal
  /** What the model reads when the time or the memory is over. */
  overdue: string
}

/** Starts a thread. What it answers with `{ failure }` is thrown as `invalid_request`. */
export function startThread(options: ThreadOptions): Thread {
  const { clock, signal, overdue } = options
  const worker = startWorker(options)
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  const end = (error: AppError) => {
    ended.reject(error)
    void worker.terminate()
  }
  const cancelTimer = clock.after(options.timeoutMs, () => end(new AppError('timeout', overdue)))
  const onAbort = () => end(new AppError('cancelled', 'The call was cancelled'))
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  worker.on('error', (cause) => ended.reject(new AppError('too_large', overdue, { cause })))
  worker.on('exit', () => ended.reject(new AppError('too_large', overdue)))

  return {
    async ask<Answer>(message: object) {
      const answered = Promise.withResolvers<Answer & { failure?: string }>()
      worker.once('message', answered.resolve)
      worker.postMessage(message)
      const answer = await Promise.race([answered.promise, ended.promise])
      if (answer.failure !== undefined) throw new AppError('invalid_request', answer.failure)
      return answer
    },
    async [Symbol.asyncDispose]() {
      cancelTimer()
      signal.removeEventListener('abort', onAbort)
      await worker.terminate()
    },
  }
}

function startWorker({ memoryMb }: ThreadOptions): Worker {
  const file = `./pattern-thread${extname(import.meta.filename)}`
  return new Worker(new URL(file, import.meta.url), {
    /** Those of the host may be of no use here: `--input-type`, `--test`. */
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, stackSizeMb: 8 },
  })
}
