import { systemClock } from '@dataagent/guard'
import type { SealedPlace } from '@dataagent/store/sql'
import { type PlatformOptions, withDatabase, withPlatform } from './one-time.ts'

export interface Resealed {
  /** How many secrets were brought under the first master key, and how many were there already. */
  rewrapped: number
  current: number
  /** What no configured master key opens; left as it is. */
  unreadable: SealedPlace[]
  /** Keys of users and of tool groups that only an older master key proves. */
  staleKeys: number
}

/**
 * Brings all that is sealed under the first master key, beside servers that run with the same keys.
 * Killed halfway it is run again and goes on. The database takes the new key for its own at the
 * end: until then no server starts without the older one.
 */
export function reseal(options: PlatformOptions): Promise<Resealed> {
  const { config, clock = systemClock } = options
  return withDatabase(config, clock, async (stores) => {
    const { createKeyCheck, createVault, rotateSecrets } = await import('@dataagent/store/secrets')
    const { sql, keyring } = stores
    const vault = createVault({ keyring })
    const { rows, replace } = sql.sealed
    const report = await rotateSecrets({ vault, rows: rows(), replace })
    const staleGroups = await withPlatform(
      options,
      stores,
      async ({ gateway }) => (await gateway?.groups.renewKeyHashes()) ?? 0,
    )
    await sql.settings.change('key_check', createKeyCheck(keyring))
    const staleUsers = await sql.apiKeys.countStale(keyring.current, clock.now())
    return { ...report, staleKeys: staleGroups + staleUsers }
  })
}
