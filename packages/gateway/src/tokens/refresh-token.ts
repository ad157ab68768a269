import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { AppError } from '@dataagent/schema'
import { prefixes } from './contract.ts'

const tokenPattern = /^rt_([0-9a-f-]{36})\.([\w-]{43})\.([\w-]{16})$/
const shortestKey = 32
const tagBytes = 12

/**
 * Refresh tokens: `rt_{grant_id}.{secret}.{tag}`. Each is made of the one before it, so that every
 * process finds the same successors with nothing secret stored; the tag tells one that was given
 * out, however long ago, from one that was made up.
 */
export interface RefreshTokens {
  first(grant_id: string): string
  /** Undefined for a token that was never given out. */
  parse(token: string): { grant_id: string } | undefined
  /** The refresh token that takes the place of this one. */
  next(token: string): string
  /** The access token that this one is exchanged for. */
  accessFor(token: string, scope: string): string
}

export function createRefreshTokens({ key }: { key: Uint8Array }): RefreshTokens {
  if (key.length < shortestKey) {
    throw new AppError(
      'config_invalid',
      `The key of the gateway has at least ${shortestKey} bytes.`,
    )
  }
  const derive = (use: string) =>
    createHmac('sha256', key).update(`dataagent gateway ${use}`).digest()
  const [tagKey, nextKey, accessKey] = ['refresh tag', 'refresh next', 'refresh access'].map(derive)

  const mac = (by: Buffer | undefined, text: string) =>
    createHmac('sha256', by as Buffer)
      .update(text)
      .digest()

  function toToken(grant_id: string, secret: string): string {
    const tag = mac(tagKey, `${grant_id}.${secret}`).subarray(0, tagBytes)
    return `${prefixes.refresh}${grant_id}.${secret}.${tag.toString('base64url')}`
  }

  function parse(token: string): { grant_id: string } | undefined {
    const [, grant_id = '', secret = ''] = tokenPattern.exec(token) ?? []
    const expected = Buffer.from(toToken(grant_id, secret))
    const shown = Buffer.from(token)
    const isOurs = shown.length === expected.length && timingSafeEqual(shown, expected)
    return isOurs ? { grant_id } : undefined
  }

  return {
    first: (grant_id) => toToken(grant_id, randomBytes(32).toString('base64url')),
    parse,
    next(token) {
      const { grant_id } = parse(token) as { grant_id: string }
      return toToken(grant_id, mac(nextKey, token).toString('base64url'))
    },
    accessFor: (token, scope) =>
      prefixes.session + mac(accessKey, `${scope} ${token}`).toString('base64url'),
  }
}
