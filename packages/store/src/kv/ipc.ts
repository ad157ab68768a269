import type { KvState } from './kv.ts'

/**
 * Either end of a Node IPC channel: `process` in a forked or cluster worker, the ChildProcess or
 * Worker in its parent.
 */
export interface IpcEnd {
  send?(message: unknown, onSent: (error: Error | null) => void): boolean
  on(event: 'message', handler: (message: unknown) => void): unknown
  on(event: 'disconnect', handler: () => void): unknown
  off(event: 'message', handler: (message: unknown) => void): unknown
  off(event: 'disconnect', handler: () => void): unknown
}

/** What goes over the channel. JSON knows no undefined: a null on the wire always stands for it. */
export type WireItem =
  | ['call', id: number, method: string, args: unknown[]]
  | ['ok', id: number, value: unknown]
  | ['error', id: number, code: string, message: string]
  | ['message', subscription: number, text: string]
  | ['gap', subscription: number]
  | ['state', state: KvState]

export interface IpcOptions {
  end: IpcEnd
  onItem(item: WireItem): void
  /** Once: the other process is gone or the channel is. */
  onClose(): void
}

/** Sends items in batches, at most one batch under way: what is said meanwhile goes together. */
export interface IpcPipe {
  send(item: WireItem): void
  /** Items not yet handed to the channel. */
  readonly waiting: number
  /** Rises each time the waiting items go out. */
  readonly batch: number
  close(): void
}

/** Our messages share the channel with others': this field marks them. */
const mark = 'dataagentKv'

export function createIpcPipe({ end, onItem, onClose }: IpcOptions): IpcPipe {
  let waiting: WireItem[] = []
  let batch = 0
  let underWay = false
  let closed = false

  function onMessage(message: unknown): void {
    for (const item of itemsOf(message)) onItem(item)
  }

  function close(): void {
    if (closed) return
    closed = true
    waiting = []
    end.off('message', onMessage)
    end.off('disconnect', close)
    onClose()
  }

  function flush(): void {
    if (closed || waiting.length === 0) {
      underWay = false
      return
    }
    const items = waiting
    waiting = []
    batch++
    try {
      if (end.send === undefined) close()
      else end.send({ [mark]: items }, (error) => (error ? close() : flush()))
    } catch {
      close()
    }
  }

  end.on('message', onMessage)
  end.on('disconnect', close)
  return {
    send(item) {
      if (closed) return
      waiting.push(item)
      if (underWay) return
      underWay = true
      queueMicrotask(flush)
    },
    get waiting() {
      return waiting.length
    },
    get batch() {
      return batch
    },
    close,
  }
}

function itemsOf(message: unknown): WireItem[] {
  if (typeof message !== 'object' || message === null) return []
  const items = (message as Record<string, unknown>)[mark]
  return Array.isArray(items) ? items : []
}
