import type { Kv } from '../kv-port.ts'
import type { Topic } from './contract.ts'

const channel = 'hub:changed'

export interface HintsOptions {
  kv: Pick<Kv, 'publish' | 'subscribe'>
  /** Something may have changed: another process says so, or messages were missed. */
  onHint(): void
  onError(error: unknown): void
}

/** Says and hears that something has changed. A hint that is lost costs time, nothing else. */
export function createHints({ kv, onHint, onError }: HintsOptions) {
  let listening: Promise<(() => Promise<void>) | undefined> | undefined
  let isClosed = false

  async function subscribe() {
    try {
      const stop = await kv.subscribe(channel, onHint, { onGap: onHint })
      onHint()
      return stop
    } catch (error) {
      listening = undefined
      onError(error)
    }
  }

  return {
    /** Listens from now on; to be called again until the KV has been there once. */
    listen(): void {
      if (!isClosed) listening ??= subscribe()
    },
    async publish(tenant_id: string, topic: Topic): Promise<void> {
      try {
        await kv.publish(channel, JSON.stringify({ tenant_id, topic }))
      } catch (error) {
        onError(error)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await (await listening)?.()
    },
  }
}
