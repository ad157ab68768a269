import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@dataagent/guard'
import type { CheckReply, CheckRequest } from './checking-thread.ts'

/** How the work on one request ended. */
export type CheckEnd =
  | Extract<CheckReply, { status: 'forgotten' | 'uncompilable' | 'done' }>
  /** It took too long, and the thread was ended. */
  | { status: 'overdue'; during: 'compiling' | 'running' }
  /** The thread ended: for want of memory or of its share of the machine, or it was closed. */
  | { status: 'died' }

/** A thread that does one request at a time. */
export interface CheckingWorker {
  /** False once the thread has ended: it is of no more use. */
  isAlive(): boolean
  /** Rejects only where the request cannot be sent. */
  run(request: CheckRequest): Promise<CheckEnd>
  end(): Promise<void>
}

export interface CheckingWorkerOptions {
  clock: Clock
  budgetMs: number
  compileBudgetMs: number
}

const startMs = 20_000
/** A machine that is too busy to give the thread its time must not keep the caller for ever. */
const patience = 20

export function createCheckingWorker(options: CheckingWorkerOptions): CheckingWorker {
  const { clock } = options
  const thread = startThread()
  let finish: ((end: CheckEnd) => void) | undefined
  let cancelTimer = () => {}
  let ready = false
  let alive = true
  /** Rises with each piece of work and with its end: what was begun for another one stops. */
  let phase = 0

  thread.unref()
  thread.on('message', onReply)
  thread.on('error', () => settle({ status: 'died' }))
  thread.on('exit', () => {
    alive = false
    settle({ status: 'died' })
  })

  return {
    isAlive: () => alive,
    run(request) {
      return new Promise((resolve) => {
        finish = resolve
        thread.ref()
        if (!ready) cancelTimer = clock.after(startMs, () => void endThread({ status: 'died' }))
        thread.postMessage(request)
      })
    },
    async end() {
      await thread.terminate()
    },
  }

  function onReply(reply: CheckReply): void {
    if (reply.status === 'ready') ready = true
    else if (reply.status === 'compiling') void watch('compiling', options.compileBudgetMs)
    else if (reply.status === 'running') void watch('running', options.budgetMs)
    else settle(reply as CheckEnd)
  }

  /** Ends the thread once it has worked for `budgetMs`, by its own processor time. */
  async function watch(during: 'compiling' | 'running', budgetMs: number): Promise<void> {
    cancelTimer()
    const began = clock.monotonic()
    phase += 1
    const own = phase
    const before = await processorMs()
    if (phase !== own) return
    lookAfter(budgetMs)

    function lookAfter(ms: number): void {
      cancelTimer()
      cancelTimer = clock.after(ms, () => void look())
    }

    async function look(): Promise<void> {
      const used = (await processorMs()) - before
      if (phase !== own) return
      const waited = clock.monotonic() - began
      if (used >= budgetMs) await endThread({ status: 'overdue', during })
      else if (waited >= budgetMs * patience) await endThread({ status: 'died' })
      else lookAfter(Math.max(2, budgetMs - used))
    }
  }

  async function endThread(end: CheckEnd): Promise<void> {
    alive = false
    settle(end)
    await thread.terminate()
  }

  async function processorMs(): Promise<number> {
    try {
      const { user, system } = await thread.cpuUsage()
      return (user + system) / 1_000
    } catch {
      return 0
    }
  }

  function settle(end: CheckEnd): void {
    phase += 1
    cancelTimer()
    thread.unref()
    const told = finish
    finish = undefined
    told?.(end)
  }
}

function startThread(): Worker {
  const file = `./checking-thread${extname(import.meta.filename)}`
  return new Worker(new URL(file, import.meta.url), {
    /** Those of the host may be of no use here: `--input-type`, `--test`. */
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
}
