import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { type Approval, isPlainObject, readJson } from '@dataagent/schema'
import type { Kv } from '../kv-port.ts'
import { toApproval } from './approval-view.ts'
import type { ApprovalRow } from './contract.ts'
import { createUnderWay } from './under-way.ts'

export interface ChangesOptions {
  kv: Pick<Kv, 'publish' | 'subscribe'>
  clock: Clock
  /** How long after a failed attempt to subscribe the next is made. */
  retryMs: number
  /** Another process has changed this approval. */
  onHint(approval_id: string): void
  /** Hints may have been missed. */
  onGap(): void
}

/** Who wants to know of approvals, here and in other processes. */
export interface Changes {
  /** Tells those who listen here. */
  tell(row: ApprovalRow): void
  /** Tells other processes which approval to look at; no more than that leaves this one. */
  publish(row: ApprovalRow): void
  onChange(handler: (approval: Approval) => void): () => void
  hasHandlers(): boolean
  start(): void
  close(): Promise<void>
}

/** One for all tenants: a process does not know beforehand whose approvals there will be. */
const channel = 'hub:approvals'

export function createChanges(options: ChangesOptions): Changes {
  const { kv, clock, retryMs, onHint, onGap } = options
  const handlers = new Set<(approval: Approval) => void>()
  const underWay = createUnderWay()
  const own = randomUUID()
  let unsubscribe: (() => Promise<void>) | undefined
  let cancelRetry: (() => void) | undefined
  let state: 'new' | 'started' | 'closed' = 'new'

  function onMessage(text: string): void {
    const hint = readHint(text)
    if (hint && hint.from !== own) onHint(hint.approval_id)
  }

  async function subscribe(): Promise<void> {
    try {
      unsubscribe = await kv.subscribe(channel, onMessage, { onGap })
    } catch {
      if (state === 'started') cancelRetry = clock.after(retryMs, () => underWay.keep(subscribe()))
      return
    }
    onGap()
  }

  return {
    tell(row) {
      if (handlers.size === 0) return
      const approval = toApproval(row)
      for (const handler of [...handlers]) guard(() => handler(approval))
    },
    publish({ approval_id }) {
      underWay.keep(kv.publish(channel, JSON.stringify({ from: own, approval_id })).catch(ignore))
    },
    onChange(handler) {
      const subscriber = (approval: Approval) => handler(approval)
      handlers.add(subscriber)
      return () => handlers.delete(subscriber)
    },
    hasHandlers: () => handlers.size > 0,
    start() {
      if (state !== 'new') return
      state = 'started'
      underWay.keep(subscribe())
    },
    async close() {
      state = 'closed'
      cancelRetry?.()
      handlers.clear()
      await underWay.done()
      await unsubscribe?.()
    },
  }
}

function readHint(text: string): { from: unknown; approval_id: string } | undefined {
  try {
    const hint = readJson(text)
    if (!isPlainObject(hint) || typeof hint.approval_id !== 'string') return undefined
    return { from: hint.from, approval_id: hint.approval_id }
  } catch {
    return undefined
  }
}

function guard(run: () => void): void {
  try {
    run()
  } catch (error) {
    const text = error instanceof Error ? error.stack : error
    process.emitWarning(`A handler of approvals failed: ${text}`)
  }
}

function ignore(): void {}
