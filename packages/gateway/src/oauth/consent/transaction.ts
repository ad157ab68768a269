import { createHash, timingSafeEqual } from 'node:crypto'
import type { Principal } from '@dataagent/hub'
import type { Scope } from '../../tokens/index.ts'
import type { OAuthClient } from '../clients/oauth-client.ts'
import type { OAuthServerOptions } from '../options.ts'

const lifeMs = 10 * 60_000

/** What a program asked for, from its request until a person has answered. */
export interface Transaction {
  client_id: string
  client_name: string
  client_kind: OAuthClient['kind']
  redirect_uri: string
  state: string | undefined
  code_challenge: string
  /** Undefined: the endpoint of the group that is chosen. */
  resource: string | undefined
  scopes: readonly Scope[]
}

/** Whose key was entered: a group's, or a person's. The key itself is nowhere. */
export type KeyHolder =
  | { kind: 'group'; group_id: string; key_id: string }
  | { kind: 'person'; principal: Principal }

interface Stored extends Transaction {
  csrf: string
  browser_hash: string
}

export interface OpenTransaction {
  tx: string
  csrf: string
  asked: Transaction
}

export type Found =
  | { status: 'ok'; open: OpenTransaction }
  /** Answered, expired or never there. */
  | { status: 'ended' }
  /** Begun in another browser. */
  | { status: 'foreign' }

/** The transactions under way, in the KV. All reject with `store_unavailable`. */
export interface Transactions {
  begin(asked: Transaction, browser: string): Promise<OpenTransaction>
  find(tx: string, browser: string | undefined): Promise<Found>
  /** Ends it. Of several at once one gets true. */
  finish(tx: string): Promise<boolean>
  keyHolder(tx: string): Promise<KeyHolder | undefined>
  setKeyHolder(tx: string, holder: KeyHolder | undefined): Promise<void>
}

export function createTransactions(
  options: Pick<OAuthServerOptions, 'kv' | 'craft'>,
): Transactions {
  const { kv, craft } = options

  async function setKeyHolder(tx: string, holder: KeyHolder | undefined): Promise<void> {
    if (holder === undefined) await kv.delete(holderKey(tx))
    else await kv.set(holderKey(tx), JSON.stringify(holder), { ttlMs: lifeMs })
  }

  return {
    async begin(asked, browser) {
      const [tx, csrf] = [craft.createToken(), craft.createToken()]
      const stored: Stored = { ...asked, csrf, browser_hash: sha256(browser) }
      await kv.set(txKey(tx), JSON.stringify(stored), { ttlMs: lifeMs })
      return { tx, csrf, asked }
    },
    async find(tx, browser) {
      const text = isId(tx) ? await kv.get(txKey(tx)) : undefined
      if (text === undefined) return { status: 'ended' }
      const { csrf, browser_hash, ...asked } = JSON.parse(text) as Stored
      const isTheirs = browser !== undefined && isSameText(sha256(browser), browser_hash)
      return isTheirs ? { status: 'ok', open: { tx, csrf, asked } } : { status: 'foreign' }
    },
    async finish(tx) {
      const ended = await kv.take(txKey(tx))
      await setKeyHolder(tx, undefined)
      return ended !== undefined
    },
    async keyHolder(tx) {
      const text = await kv.get(holderKey(tx))
      return text === undefined ? undefined : (JSON.parse(text) as KeyHolder)
    },
    setKeyHolder,
  }
}

/** Compares what was sent with what is expected, in a time that tells nothing of either. */
export function isSameText(sent: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(sent)), Buffer.from(sha256(expected)))
}

function txKey(tx: string): string {
  return `mcp:consent:${tx}`
}

function holderKey(tx: string): string {
  return `mcp:consent-key:${tx}`
}

function isId(tx: string): boolean {
  return /^[\w-]{16,100}$/.test(tx)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
