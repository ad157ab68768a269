import type { Clock } from '@dataagent/guard'
import type { Kv } from '@dataagent/hub'
import { isPlainObject, readJson } from '@dataagent/schema'

const channel = 'mcp:ended'
const retryMs = 1_000

/** What has ended: grants, or the session of one, by the hash of its token. */
export interface Ended {
  session?: string
  grant_ids?: readonly string[]
}

export interface EndHintsOptions {
  kv: Pick<Kv, 'publish' | 'subscribe'>
  clock: Clock
  onEnded(ended: Ended): void
  /** Hints may have been missed. */
  onGap(): void
  onError(error: unknown): void
}

/** Tells other processes what has ended. One that misses it learns it within a second. */
export function createEndHints({ kv, clock, onEnded, onGap, onError }: EndHintsOptions) {
  let listening: Promise<(() => Promise<void>) | undefined> | undefined
  let retryAt = -Infinity

  async function subscribe() {
    try {
      const end = await kv.subscribe(channel, hear, { onGap })
      if (Number.isFinite(retryAt)) onGap()
      return end
    } catch (error) {
      listening = undefined
      retryAt = clock.monotonic() + retryMs
      onError(error)
    }
  }

  function hear(text: string): void {
    const ended = readJson(text)
    if (isPlainObject(ended)) onEnded(ended)
  }

  return {
    /** Listens from now on; to be called again until the KV has been there once. */
    listen(): void {
      if (clock.monotonic() >= retryAt) listening ??= subscribe()
    },
    async publish(ended: Ended): Promise<void> {
      await kv.publish(channel, JSON.stringify(ended)).catch(onError)
    },
    async close(): Promise<void> {
      retryAt = Infinity
      await (await listening)?.()
    },
  }
}
