import type { JsonObject } from '@dataagent/schema'
import type { CheckRequest, Given } from './checking-thread.ts'
import {
  type CheckEnd,
  type CheckingWorker,
  type CheckingWorkerOptions,
  createCheckingWorker,
} from './checking-worker.ts'
import type { Validation } from './contract.ts'
import type { Dialect } from './dialect.ts'
import { createFairQueue } from './fair-queue.ts'

/** Checks in threads, so that nothing that a schema or a value holds can block the event loop. */
export interface CheckingPool {
  /** Never rejects. */
  check(job: CheckJob): Promise<CheckResult>
  close(): Promise<void>
}

export interface CheckJob {
  key: string
  schema: JsonObject
  dialect: Dialect
  given: Given
}

export interface CheckResult {
  validation: Validation
  /** The schema can never be used: there is no need to ask again. */
  isFinal: boolean
}

interface Waiting {
  job: CheckJob
  resolve(result: CheckResult): void
}

interface Slot {
  worker: CheckingWorker | undefined
  /** Keys that the thread has compiled, unless it has forgotten them since. */
  known: Set<string>
  isFree: boolean
  /** Stops the clock that ends a thread without work: each holds about 30 MB. */
  stayAwake(): void
}

const size = 2
const idleMs = 60_000
const knownMax = 1_000
const queueLimits = { total: 256, perKey: 32 }

/** Threads are started when they are needed, and ended when they were not for a while. */
export function createCheckingPool(options: CheckingWorkerOptions): CheckingPool {
  const queue = createFairQueue<Waiting>(queueLimits)
  const slots: Slot[] = Array.from({ length: size }, toEmptySlot)
  let closed = false

  return {
    check(job) {
      return new Promise((resolve) => {
        if (closed) resolve(toFailed('the validator is closed'))
        else if (!queue.add(job.key, { job, resolve })) {
          resolve(toFailed('too many checks of large or unusual schemas wait; try again later'))
        } else next()
      })
    },
    async close() {
      closed = true
      for (const { resolve } of queue.drain()) resolve(toFailed('the validator is closed'))
      for (const slot of slots) slot.stayAwake()
      await Promise.all(slots.map((slot) => slot.worker?.end()))
    },
  }

  function next(): void {
    const slot = slots.find(({ isFree, worker }) => isFree && worker) ?? slots.find(isFreeSlot)
    const taken = slot && !closed ? queue.take() : undefined
    if (slot && taken) void serve(slot, taken.item)
  }

  async function serve(slot: Slot, { job, resolve }: Waiting): Promise<void> {
    slot.isFree = false
    slot.stayAwake()
    let end = await run(slot, job)
    if (end.status === 'forgotten') {
      slot.known.delete(job.key)
      end = await run(slot, job)
    }
    if (end.status === 'overdue' || end.status === 'died') Object.assign(slot, toEmptySlot())
    slot.isFree = true
    slot.stayAwake = options.clock.after(idleMs, () => void retire(slot))
    queue.release(job.key)
    resolve(toResult(end))
    next()
  }

  async function retire(slot: Slot): Promise<void> {
    const { worker } = slot
    Object.assign(slot, toEmptySlot())
    await worker?.end()
  }

  /** Also where no thread can be started. */
  async function run(slot: Slot, { key, schema, dialect, given }: CheckJob): Promise<CheckEnd> {
    try {
      if (!slot.worker?.isAlive()) Object.assign(slot, toStartedSlot(options))
      const request: CheckRequest = { key, given }
      if (!slot.known.has(key)) request.definition = { schema, dialect }
      if (slot.known.size >= knownMax) slot.known.clear()
      slot.known.add(key)
      return await slot.worker!.run(request)
    } catch {
      return { status: 'died' }
    }
  }
}

function toStartedSlot(options: CheckingWorkerOptions): Slot {
  return {
    worker: createCheckingWorker(options),
    known: new Set(),
    isFree: false,
    stayAwake: () => {},
  }
}

function toEmptySlot(): Slot {
  return { worker: undefined, known: new Set(), isFree: true, stayAwake: () => {} }
}

function isFreeSlot({ isFree }: Slot): boolean {
  return isFree
}

function toResult(end: CheckEnd): CheckResult {
  if (end.status === 'done') return { validation: end.validation, isFinal: false }
  if (end.status === 'uncompilable') {
    return { ...toFailed(`the schema cannot be used: ${end.message.slice(0, 200)}`), isFinal: true }
  }
  if (end.status === 'overdue') {
    const isFinal = end.during === 'compiling'
    const what = isFinal ? 'the schema takes too long to read' : 'the check took too long'
    return { ...toFailed(`${what}; ask the tool's owner for a simpler schema`), isFinal }
  }
  return toFailed('the check could not be finished; try again later')
}

function toFailed(message: string): CheckResult {
  return { validation: { status: 'failed', message }, isFinal: false }
}
