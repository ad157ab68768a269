import type { Clock } from '@dataagent/guard'

/** How much each tenant has kept aside through this process, as long as it is kept. */
export interface KeptBytes {
  /** False where it would be more than a tenant may keep. */
  take(tenant_id: string, bytes: number): boolean
}

export function createKeptBytes(options: { max: number; ttlMs: number; clock: Clock }): KeptBytes {
  const { max, ttlMs, clock } = options
  const kept = new Map<string, number>()

  function add(tenant_id: string, bytes: number): void {
    const sum = (kept.get(tenant_id) ?? 0) + bytes
    if (sum > 0) kept.set(tenant_id, sum)
    else kept.delete(tenant_id)
  }

  return {
    take(tenant_id, bytes) {
      if ((kept.get(tenant_id) ?? 0) + bytes > max) return false
      add(tenant_id, bytes)
      clock.after(ttlMs, () => add(tenant_id, -bytes))
      return true
    },
  }
}
