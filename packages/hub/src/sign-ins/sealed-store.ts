import { type Clock, createExclusive } from '@dataagent/guard'
import type { OAuthRecord, OAuthStore } from '@dataagent/mcp'
import { isAppError, readJson } from '@dataagent/schema'
import { sha256 } from '../canonical-json.ts'
import type { Kv } from '../kv-port.ts'
import type { Vault } from '../vault-port.ts'
import type { SignInRef, SignInRows } from './contract.ts'

export interface SealedStoreOptions extends Omit<SignInRef, 'record_id'> {
  rows: SignInRows
  vault: Vault
  kv: Pick<Kv, 'acquireLease'>
  /** This process's name. */
  owner: string
  clock: Clock
}

const leaseMs = 60_000
const askAgainMs = 100

/** Keeps the tokens of one user at one server, sealed, where all processes find them. */
export function createSealedStore(options: SealedStoreOptions): OAuthStore {
  const { rows, vault, clock, tenant_id, server_id, user_id } = options
  const exclusive = createExclusive()
  const toRef = (key: string): SignInRef => {
    return { tenant_id, server_id, user_id, record_id: sha256(key) }
  }

  async function open(ref: SignInRef, envelope: string): Promise<OAuthRecord | undefined> {
    try {
      return readJson(await vault.open(envelope, bindingOf(ref))) as OAuthRecord
    } catch (error) {
      // Sealed with a key that is gone: the person signs in again.
      if (isAppError(error, 'secret_unreadable')) return undefined
      throw error
    }
  }

  return {
    async get(key) {
      const row = await rows.get(toRef(key))
      return row && open(row, row.value)
    },
    async set(key, record) {
      const ref = toRef(key)
      const value = await vault.seal(JSON.stringify(record), bindingOf(ref))
      await rows.put({ ...ref, value, updated_at: clock.now() })
    },
    delete: (key) => rows.delete(toRef(key)),
    lock: (key, work) =>
      exclusive(key, async () => {
        await using _ = await takeLease(options, JSON.stringify(toRef(key)))
        return await work()
      }),
  }
}

/** Waits for its turn among the processes; without a KV each goes on by itself. */
async function takeLease({ kv, owner, clock }: SealedStoreOptions, place: string) {
  const until = clock.monotonic() + leaseMs
  const name = `hub:sign-in:${sha256(place)}`
  while (clock.monotonic() < until) {
    const lease = await kv.acquireLease(name, { ttlMs: leaseMs, owner }).catch(() => null)
    if (lease !== undefined) return lease
    await new Promise<void>((resolve) => clock.after(askAgainMs, resolve))
  }
  return null
}

function bindingOf({ tenant_id, server_id, user_id, record_id }: SignInRef) {
  const row = JSON.stringify([server_id, user_id, record_id])
  return { tenant: tenant_id, table: 'mcp_sign_ins', row, column: 'value' }
}
