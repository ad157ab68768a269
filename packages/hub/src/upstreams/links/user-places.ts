import type { Clock } from '@dataagent/guard'
import { sha256 } from '../../canonical-json.ts'
import type { Kv, Lease } from '../../kv-port.ts'
import type { UpstreamKey } from '../contract.ts'

export interface UserPlacesOptions {
  kv: Kv
  owner: string
  leaseMs: number
  perUser: number
  clock: Clock
}

export interface UserPlace {
  release(): Promise<void>
}

/**
 * Counts the connections of each user over all processes. A place is a lease: that of a process
 * which dies is free again by itself.
 */
export interface UserPlaces {
  /** Undefined where the user has none left. Rejects while the KV is away. */
  take(key: UpstreamKey): Promise<UserPlace | undefined>
}

export function createUserPlaces(options: UserPlacesOptions): UserPlaces {
  const { kv, owner, leaseMs, perUser, clock } = options

  return {
    async take({ tenant_id, user_id }) {
      if (user_id === null) return unlimited
      const user = sha256(JSON.stringify([tenant_id, user_id]))
      for (let index = 0; index < perUser; index += 1) {
        const name = `upstream-place:${user}:${index}`
        const lease = await kv.acquireLease(name, { ttlMs: leaseMs, owner })
        if (lease !== undefined) return keep(lease)
      }
      return undefined
    },
  }

  function keep(lease: Lease): UserPlace {
    let cancel = clock.after(leaseMs / 3, renew)
    lease.lost.addEventListener('abort', () => cancel(), { once: true })
    return lease

    function renew(): void {
      void lease.renew().catch(() => undefined)
      cancel = clock.after(leaseMs / 3, renew)
    }
  }
}

const unlimited: UserPlace = { release: async () => undefined }
