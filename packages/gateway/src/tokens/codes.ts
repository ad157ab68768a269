import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import type { TokenCraft } from '../ports.ts'
import { findMismatch, refuse, type Shown } from './check-code.ts'
import { type CodeContent, prefixes, type Redeemed } from './contract.ts'
import { createHiddenValues, type HiddenValuesOptions } from './hidden-values.ts'

export interface StoredCode extends CodeContent {
  group_made_at: number
  expires_at: number
}

/** What is left of a code that was redeemed, until it would have expired. */
interface Used {
  code: StoredCode
  grant_id: string
}

export interface CodesOptions {
  kv: HiddenValuesOptions['kv']
  craft: TokenCraft
  clock: Clock
  /** Whether the group, and the key that gave the code, still hold. */
  holds(code: StoredCode): boolean
  endGrant(grant_id: string): Promise<void>
}

const codeMs = 600_000
/** What was redeemed is remembered longer than a request is under way. */
const slackMs = 60_000

/** Authorisation codes, in the KV under the HMAC of the code. */
export function createCodes({ kv, craft, clock, holds, endGrant }: CodesOptions) {
  const codes = createHiddenValues<StoredCode>({ kv, craft, prefix: 'mcp:code:' })
  const used = createHiddenValues<Used>({ kv, craft, prefix: 'mcp:code:used:' })

  const leftMs = ({ expires_at }: StoredCode) => Math.max(1, expires_at - clock.now()) + slackMs

  async function replay(code: string, shown: Shown): Promise<Redeemed> {
    const before = await used.get(code)
    if (before === undefined) return refuse('the code is unknown or has expired')
    const mismatch = findMismatch(before.code, shown)
    if (mismatch) return mismatch
    await endGrant(before.grant_id)
    return refuse('the code was redeemed already')
  }

  return {
    async create(content: Omit<StoredCode, 'expires_at'>): Promise<string> {
      const code = prefixes.code + craft.createToken()
      await codes.set(code, { ...content, expires_at: clock.now() + codeMs }, codeMs)
      return code
    },

    /** `give` is called for one redemption of a code alone, after all checks. */
    async redeem(
      code: string,
      shown: Shown,
      give: (content: StoredCode, grant_id: string) => Promise<Redeemed>,
    ): Promise<Redeemed> {
      const content = code.startsWith(prefixes.code) ? await codes.get(code) : undefined
      if (content === undefined) return replay(code, shown)
      const mismatch = findMismatch(content, shown)
      if (mismatch) return mismatch
      if (!holds(content)) return refuse('the tool group, or its key, has ended')
      if ((await codes.take(code)) === undefined) return refuse('the code was redeemed already')
      const grant_id = randomUUID()
      const given = await give(content, grant_id)
      // Not before: another try of the same moment is refused, and takes nothing away.
      await used.set(code, { code: content, grant_id }, leftMs(content))
      return given
    },
  }
}
