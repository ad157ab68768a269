import { createHash, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { isAppError, type Secret } from '@dataagent/schema'
import { type KeyEntry, parseKeyEntry } from '../config/index.ts'
import type { KeyStores } from './ports.ts'
import { isEnabled, type Proof } from './proof.ts'

const derive = promisify<string, string, number, Buffer>(scrypt)

interface ConfiguredKey extends KeyEntry {
  digest: Buffer
  /** Made at its first use. */
  key_id?: Promise<string>
}

/** The keys of the configuration, which get in also while the database is away. */
export interface ConfiguredKeys {
  /** Undefined where it is none of them, or its user is disabled. */
  find(key: string): Promise<Proof | undefined>
  findById(key_id: string): Promise<Proof | undefined>
  /** Whose it is, also while they are disabled. */
  holderOf(key_id: string): Promise<string | undefined>
}

const idPrefix = 'configured-'

export function createConfiguredKeys(
  entries: readonly Secret[],
  stores: () => Pick<KeyStores, 'tables'>,
): ConfiguredKeys {
  const keys = entries.map((entry): ConfiguredKey => {
    const parsed = parseKeyEntry(entry.reveal())
    return { ...parsed, digest: digest(parsed.key) }
  })

  function idOf(entry: ConfiguredKey): Promise<string> {
    entry.key_id ??= createId(entry)
    return entry.key_id
  }

  async function entryOf(key_id: string): Promise<ConfiguredKey | undefined> {
    if (!key_id.startsWith(idPrefix)) return undefined
    const ids = await Promise.all(keys.map(idOf))
    return keys[ids.indexOf(key_id)]
  }

  async function prove(entry: ConfiguredKey): Promise<Proof | undefined> {
    if (await isDisabled(entry)) return undefined
    const { tenant_id, user_id, role, act_as } = entry
    return { principal: { tenant_id, user_id, role, api_key: await idOf(entry) }, act_as }
  }

  async function isDisabled({ tenant_id, user_id }: KeyEntry): Promise<boolean> {
    try {
      const user = await stores().tables.users.get(tenant_id, user_id)
      return user !== undefined && !isEnabled(user)
    } catch (error) {
      if (isAppError(error, 'store_unavailable')) return false
      throw error
    }
  }

  return {
    async find(key) {
      const given = digest(key)
      // Looks at all of them, so that the time does not tell which one was near.
      const [entry] = keys.filter((one) => timingSafeEqual(one.digest, given))
      return entry && prove(entry)
    },
    async findById(key_id) {
      const entry = await entryOf(key_id)
      return entry && prove(entry)
    },
    holderOf: async (key_id) => (await entryOf(key_id))?.user_id,
  }
}

/** The same at every start and on every node; too slow to guess a key by. */
async function createId({ tenant_id, user_id, key }: KeyEntry): Promise<string> {
  const bytes = await derive(key, `${tenant_id}/${user_id}`, 6)
  return `${idPrefix}${bytes.toString('hex')}`
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
