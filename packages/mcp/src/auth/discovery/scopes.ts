import type { Clock } from '@dataagent/guard'
import type { Discovery } from '../storage/records.ts'

/** RFC 6749, section 3.3. */
const scopeToken = /^[\x21\x23-\x5b\x5d-\x7e]{1,256}$/
const mostTokens = 100
const longest = 4_096

/** The tokens of a `scope`. What cannot be one is left out, and what is beyond any reason. */
export function toScopeTokens(scope: string | undefined): string[] {
  const tokens = (scope ?? '').slice(0, longest).split(/\s+/)
  return [...new Set(tokens.filter((token) => scopeToken.test(token)))].slice(0, mostTokens)
}

/** All scopes of all arguments, each once; `undefined` for none. */
export function joinScopes(...scopes: (string | undefined)[]): string | undefined {
  const tokens = new Set(scopes.flatMap((scope) => toScopeTokens(scope)))
  return tokens.size === 0 ? undefined : toScopeTokens([...tokens].join(' ')).join(' ')
}

/** Whether `held` has every scope of `wanted`. */
export function coversScope(held: string | undefined, wanted: string | undefined): boolean {
  const tokens = new Set(toScopeTokens(held))
  return toScopeTokens(wanted).every((token) => tokens.has(token))
}

export interface ScopeWishes {
  /** Of the configuration. */
  configured: string | undefined
  /** Of the challenge: what the request needs that was refused. */
  challenged: string | undefined
  /** Of the tokens until now, which are not to be lost by asking for more. */
  held?: string | undefined
  discovery: Discovery
  /** Whether to ask for a refresh token where the server has a scope for that. */
  offline: boolean
}

/**
 * What to ask for: what is configured, held and challenged; without any of it, all that the
 * resource names; without that, nothing, which leaves it to the authorization server.
 */
export function selectScope(wishes: ScopeWishes): string | undefined {
  const { configured, challenged, held, discovery, offline } = wishes
  const named = joinScopes(configured, held, challenged)
  const scope = named ?? joinScopes(discovery.scopes_supported?.join(' '))
  const { scopes_supported = [] } = discovery.authorization_server
  const asksOffline = offline && scope !== undefined && scopes_supported.includes('offline_access')
  return asksOffline ? joinScopes(scope, 'offline_access') : scope
}

/** How often one may ask for the same scopes and still be refused for want of them. */
export interface StepUpLimit {
  /** Remembers that `scope` was asked for and an answer came. */
  count(scope: string | undefined): void
  /** Whether asking for `scope` yet again is in vain. */
  isReached(scope: string | undefined): boolean
}

const stepUpWindowMs = 10 * 60_000
const mostForOneScope = 2
const mostInAll = 10

/** A StepUpLimit: twice for the same scopes, ten times in all, within ten minutes. */
export function createStepUpLimit(clock: Clock): StepUpLimit {
  let attempts: { scope: string | undefined; at: number }[] = []

  return {
    count(scope) {
      attempts = [...recent(), { scope, at: clock.monotonic() }]
    },
    isReached(scope) {
      const covering = recent().filter((attempt) => coversScope(attempt.scope, scope))
      return covering.length >= mostForOneScope || recent().length >= mostInAll
    },
  }

  function recent() {
    return attempts.filter(({ at }) => clock.monotonic() - at < stepUpWindowMs).slice(-mostInAll)
  }
}
