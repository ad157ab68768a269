import { AppError } from '@dataagent/schema'

export interface CommitQueueOptions<Item, Result> {
  /**
   * Stores the batch and answers each item, in order, with its result or its error. One call at a
   * time.
   */
  commit(batch: readonly Item[]): Promise<(Result | Error)[]>
  weigh(item: Item): number
  maxItems: number
  maxWeight: number
  /** Items that may wait at once; one more is refused. */
  maxWaiting: number
  /** An item that has waited longer when its turn comes is refused: its caller has given up. */
  maxWaitMs: number
}

interface Waiting<Item, Result> {
  item: Item
  since: number
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Group commit: what arrives while one commit is under way goes into the next one together. */
export function createCommitQueue<Item, Result>(options: CommitQueueOptions<Item, Result>) {
  const { commit, weigh, maxItems, maxWeight, maxWaiting, maxWaitMs } = options
  const waiting: Waiting<Item, Result>[] = []
  let running = false

  async function run() {
    running = true
    // Appends of the same turn of the event loop come together.
    await Promise.resolve()
    while (waiting.length > 0) await commitNext()
    running = false
  }

  async function commitNext() {
    refuseLate()
    const batch = waiting.splice(0, countFitting())
    if (batch.length === 0) return
    try {
      const outcomes = await commit(batch.map(({ item }) => item))
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]
        if (outcome instanceof Error) reject(outcome)
        else resolve(outcome as Result)
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  function refuseLate() {
    const oldest = performance.now() - maxWaitMs
    while (waiting[0] && waiting[0].since < oldest) waiting.shift()?.reject(busyError())
  }

  function countFitting(): number {
    let weight = 0
    let count = 0
    for (const { item } of waiting) {
      weight += weigh(item)
      if (count > 0 && (count >= maxItems || weight > maxWeight)) break
      count += 1
    }
    return count
  }

  return {
    push(item: Item): Promise<Result> {
      return new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) return reject(busyError())
        waiting.push({ item, since: performance.now(), resolve, reject })
        if (!running) void run()
      })
    },
  }
}

function busyError(): AppError {
  return new AppError('store_unavailable', 'the database does not keep up with what is written')
}
