import { isMcpError } from '../errors.ts'
import type { Authorizer } from './contract.ts'
import { configError, refusedError, unavailableError } from './requests/oauth-error.ts'
import { createSingleFlight } from './tokens/single-flight.ts'
import { findToken } from './tokens/token-keeper.ts'

/** An authorizer with headers that never change. What the server refuses stays refused. */
export function createStaticAuthorizer(headers: Readonly<Record<string, string>>): Authorizer {
  return {
    headers: async () => ({ ...headers }),
    async challenged({ status }) {
      throw refusedError(status, 'the server refuses the configured credential')
    },
  }
}

/** What a token is asked for with. */
export interface TokenAsk {
  /** The server has refused the token that was given before. */
  refused: boolean
}

/**
 * An authorizer whose bearer token somebody else keeps: `getToken` is asked before every request,
 * so it should answer from memory, and once more when the server has refused the token. An McpError
 * it throws is passed on; of anything else only that it failed.
 */
export function createTokenAuthorizer(
  getToken: (ask: TokenAsk) => Promise<string | undefined>,
): Authorizer {
  const flights = createSingleFlight()

  return {
    async headers() {
      const token = await ask(false)
      return token === undefined ? {} : { authorization: `Bearer ${token}` }
    },
    async challenged({ status }, { sent, signal }) {
      const before = findToken(sent)
      if (status === 401) {
        const token = await flights.join(before ?? '', () => ask(true), signal)
        if (token !== undefined && token !== before) return
      }
      throw refusedError(status, 'the server refuses the token')
    },
  }

  async function ask(refused: boolean): Promise<string | undefined> {
    const token = await attempt(() => getToken({ refused }))
    if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token
    throw configError('the token has characters that cannot stand in a header')
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isMcpError(error) ? error : unavailableError('the token could not be had')
  }
}
