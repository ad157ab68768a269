import type { Clock } from '@dataagent/guard'
import type { NewSession, Tokens } from '../tokens/index.ts'
import { createRemembered } from './remembered.ts'

/** New tokens that a key gets in half a token's life, of this process. */
const mostNew = 100
const maxKeys = 1_000

interface Given {
  client: string
  token: Promise<string>
  /** Until then it is given again: no later than half its life. */
  until: number
}

export interface KeyTokensOptions {
  tokens: Pick<Tokens, 'open' | 'find'>
  clock: Pick<Clock, 'now'>
}

/**
 * Tokens for those who show a group's key: each time a new one, until the key has many. From then
 * on a client gets its latest again; clients of ever new names share one, under the key's name.
 */
export function createKeyTokens({ tokens, clock }: KeyTokensOptions) {
  const known = createRemembered<Given[]>(maxKeys)

  function givenTo({ tenant_id, group_id, key_id }: NewSession): Given[] {
    const key = JSON.stringify([tenant_id, group_id, key_id])
    const given = known.get(key) ?? known.set(key, [])
    const live = given.filter(({ until }) => until > clock.now())
    if (live.length < given.length) given.splice(0, given.length, ...live)
    return given
  }

  function make(session: NewSession, given: Given[]): Promise<string> {
    const one: Given = { client: session.client, token: open(), until: Infinity }
    given.push(one)
    async function open(): Promise<string> {
      try {
        const { access_token, session: made } = await tokens.open(session)
        one.until = (made.created_at + made.expires_at) / 2
        return access_token
      } catch (error) {
        one.until = 0
        throw error
      }
    }
    return one.token
  }

  return async function open(session: NewSession, keyName: string): Promise<string> {
    const given = givenTo(session)
    if (given.length < mostNew) return make(session, given)
    const ofName = (name: string) => given.findLast(({ client }) => client === name)
    const latest = ofName(session.client) ?? ofName(keyName)
    if (latest === undefined) return make({ ...session, client: keyName }, given)
    const token = await latest.token
    if ((await tokens.find(token)) !== undefined) return token
    // Taken back since, as all that the key gave before was.
    given.length = 0
    return make(session, given)
  }
}
