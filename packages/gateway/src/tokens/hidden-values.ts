import type { Kv } from '@dataagent/hub'
import { readJson } from '@dataagent/schema'
import type { TokenCraft } from '../ports.ts'

export interface HiddenValuesOptions {
  kv: Pick<Kv, 'get' | 'set' | 'take' | 'setIfAbsent'>
  craft: Pick<TokenCraft, 'tokenHash' | 'tokenHashes'>
  /** Put before the hash to make the key. */
  prefix: string
}

/** JSON in the KV under the HMAC of a token: with a dump of it nobody has the token. */
export interface HiddenValues<T> {
  get(token: string): Promise<T | undefined>
  set(token: string, value: T, ttlMs: number): Promise<void>
  /** Also where another process finds it that has not changed its pepper yet. */
  setEverywhere(token: string, value: T, ttlMs: number): Promise<void>
  setIfAbsent(token: string, value: T, ttlMs: number): Promise<boolean>
  /** Of any number of callers one gets it. */
  take(token: string): Promise<T | undefined>
}

export function createHiddenValues<T>(options: HiddenValuesOptions): HiddenValues<T> {
  const { kv, craft, prefix } = options
  const read = (text: string | undefined) => (text === undefined ? undefined : readJson(text)) as T
  const keyOf = (token: string) => prefix + craft.tokenHash(token)

  /** While peppers are being changed, other processes may have written under an older one. */
  async function firstOf(token: string, ask: (key: string) => Promise<string | undefined>) {
    for (const hash of craft.tokenHashes(token)) {
      const text = await ask(prefix + hash)
      if (text !== undefined) return read(text)
    }
    return undefined
  }

  return {
    get: (token) => firstOf(token, (key) => kv.get(key)),
    set: (token, value, ttlMs) => kv.set(keyOf(token), JSON.stringify(value), { ttlMs }),
    async setEverywhere(token, value, ttlMs) {
      const keys = craft.tokenHashes(token).map((hash) => prefix + hash)
      await Promise.all(keys.map((key) => kv.set(key, JSON.stringify(value), { ttlMs })))
    },
    setIfAbsent: (token, value, ttlMs) =>
      kv.setIfAbsent(keyOf(token), JSON.stringify(value), { ttlMs }),
    take: (token) => firstOf(token, (key) => kv.take(key)),
  }
}
