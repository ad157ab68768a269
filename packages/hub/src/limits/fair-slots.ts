import type { FairSlots, Slot } from './contract.ts'
import { createLinkedList, type LinkedList, type ListNode } from './linked-list.ts'

export interface FairSlotsOptions {
  /** How many may run at once. */
  max: number
  /** How many of one tenant may run at once. Default: all. */
  perTenant?: number
  /** How many of one tenant may wait at once. */
  perTenantWaiting: number
}

interface Queue {
  tenant_id: string
  waiters: LinkedList<Waiter>
  /** Its place among the tenants whose turn will come; none while it runs all it may. */
  turn?: ListNode<Queue>
}

interface Waiter {
  give(slot: Slot): void
}

/**
 * Slots that tenants take in turn: a deficit round robin in which every tenant weighs the same and
 * every call costs one. Each step is of constant cost, however many wait. A tenant that runs all it
 * may has no turn until one of its own has ended.
 */
export function createFairSlots(options: FairSlotsOptions): FairSlots {
  const { max, perTenant = Infinity, perTenantWaiting } = options
  const queues = new Map<string, Queue>()
  const turns = createLinkedList<Queue>()
  const runningOf = new Map<string, number>()
  let running = 0
  let waiting = 0

  function canRun(tenant_id: string): boolean {
    return (runningOf.get(tenant_id) ?? 0) < perTenant
  }

  function isFree(tenant_id: string): boolean {
    return running < max && canRun(tenant_id)
  }

  function give(tenant_id: string): Slot {
    let isHeld = true
    running++
    runningOf.set(tenant_id, (runningOf.get(tenant_id) ?? 0) + 1)
    return {
      release() {
        if (!isHeld) return
        isHeld = false
        giveBack(tenant_id)
      },
    }
  }

  function giveBack(tenant_id: string): void {
    running--
    const left = (runningOf.get(tenant_id) ?? 1) - 1
    if (left > 0) runningOf.set(tenant_id, left)
    else runningOf.delete(tenant_id)
    const queue = queues.get(tenant_id)
    if (queue && !queue.turn) queue.turn = turns.push(queue)
    if (running < max) handOn()
  }

  function handOn(): void {
    const queue = turns.shift()
    const waiter = queue?.waiters.shift()
    if (!queue || !waiter) return
    waiting--
    delete queue.turn
    const slot = give(queue.tenant_id)
    if (queue.waiters.size === 0) queues.delete(queue.tenant_id)
    else if (canRun(queue.tenant_id)) queue.turn = turns.push(queue)
    waiter.give(slot)
  }

  function queueOf(tenant_id: string): Queue {
    const found = queues.get(tenant_id)
    if (found) return found
    const queue: Queue = { tenant_id, waiters: createLinkedList<Waiter>() }
    if (canRun(tenant_id)) queue.turn = turns.push(queue)
    queues.set(tenant_id, queue)
    return queue
  }

  function leave(queue: Queue, place: ListNode<Waiter>): void {
    queue.waiters.remove(place)
    waiting--
    if (queue.waiters.size > 0) return
    if (queue.turn) turns.remove(queue.turn)
    queues.delete(queue.tenant_id)
  }

  function wait(
    tenant_id: string,
    at: 'push' | 'unshift',
    signal: AbortSignal | undefined,
  ): Promise<Slot> {
    const { promise, resolve, reject } = Promise.withResolvers<Slot>()
    const queue = queueOf(tenant_id)
    const place = queue.waiters[at]({
      give(slot) {
        signal?.removeEventListener('abort', giveUp)
        resolve(slot)
      },
    })
    waiting++
    signal?.addEventListener('abort', giveUp, { once: true })
    return promise

    function giveUp(): void {
      leave(queue, place)
      reject(signal?.reason)
    }
  }

  return {
    take: (tenant_id) => (isFree(tenant_id) ? give(tenant_id) : undefined),
    acquire(tenant_id, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      if (isFree(tenant_id)) return give(tenant_id)
      const ahead = queues.get(tenant_id)?.waiters.size ?? 0
      return ahead < perTenantWaiting ? wait(tenant_id, 'push', signal) : 'busy'
    },
    acquireAgain(tenant_id, signal) {
      if (signal?.aborted) return Promise.reject(signal.reason)
      return isFree(tenant_id) ? give(tenant_id) : wait(tenant_id, 'unshift', signal)
    },
    get running() {
      return running
    },
    get waiting() {
      return waiting
    },
  }
}
