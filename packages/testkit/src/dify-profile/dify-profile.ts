import { isAppError } from '@dataagent/schema'
import { type Connection, connect } from './connection.ts'
import { challengeOf, isFault } from './fault.ts'
import { toSentArguments } from './messages.ts'
import { type DifyCallResult, type DifyTool, toCallResult, toTools } from './models.ts'
import { createOAuthAsk } from './oauth-http.ts'
import type { DifyClient, DifyTokens } from './oauth-tokens.ts'
import { createSignIn } from './sign-in.ts'
import type { Header, WireRequest } from './wire.ts'

export interface DifyProfileOptions {
  /** As a user pastes it. */
  url: string
  /** Plays the popup: is given the authorization URL, gives the URL that it ends at. */
  authorize?: (authorizationUrl: string) => Promise<string>
  /** Of the provider, as `{ Authorization: 'Bearer mk_…' }`: then no token is used. */
  headers?: Record<string, string>
  /** CONSOLE_API_URL of the installation; empty, as docker has it, makes the callback relative. */
  consoleUrl?: string
  client?: DifyClient
  timeouts?: DifyTimeouts
}

export interface DifyTimeouts {
  /** After which a hang is reported; Dify itself waits for 300 s or for ever. Default 10 s. */
  hangMs?: number
  /** For the endpoint event. Default 1 s, as in Dify. */
  endpointMs?: number
  /** For each request of the sign-in. Default 5 s, as in Dify. */
  oauthMs?: number
  /** Before a request of the sign-in is repeated. Default 0.5 s, as in Dify. */
  backoffMs?: number
}

/**
 * Does on the wire what a Dify 1.16.1 does as an MCP client, and fails where it would: with an
 * AppError whose `data.kind` is a `DifyFaultKind`.
 */
export interface DifyProfile {
  /**
   * Each makes a connection of its own. The first 401 leads to the sign-in, later ones to a
   * refresh.
   */
  listTools(): Promise<DifyTool[]>
  callTool(name: string, args?: Record<string, unknown>): Promise<DifyCallResult>
  /** An administrator authorises again: with the popup, whatever tokens there are. */
  reauthorize(): Promise<DifyTool[]>
  /** All that was sent, oldest first. */
  readonly requests: readonly WireRequest[]
  /** As Dify stores them; a test may replace them. */
  tokens: DifyTokens | undefined
}

export function createDifyProfile(options: DifyProfileOptions): DifyProfile {
  const { url, authorize, headers = {}, consoleUrl = 'http://localhost' } = options
  const {
    hangMs = 10_000,
    endpointMs = 1000,
    oauthMs = 5000,
    backoffMs = 500,
  } = options.timeouts ?? {}
  const requests: WireRequest[] = []
  const ask = createOAuthAsk({ requests, timeoutMs: oauthMs, backoffMs })
  const redirectUri = `${consoleUrl}/console/api/mcp/oauth/callback`
  const signIn = createSignIn({ url, ask, redirectUri, client: options.client, authorize })
  const isStatic = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')

  async function once<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const own = Object.entries(headers) as Header[]
    const all = isStatic ? own : [...own, ...bearerOf(profile.tokens)]
    await using connection = await connect({ url, headers: all, requests, hangMs, endpointMs })
    return await use(connection)
  }

  /** After a 401 once more with new tokens. Calls at the same time refresh with the same one. */
  async function run<T>(use: (connection: Connection) => Promise<T>): Promise<T> {
    const before = profile.tokens
    try {
      return await once(use)
    } catch (error) {
      if (isStatic || !isAppError(error) || !isFault(error, 'authentication')) throw error
      const challenge = challengeOf(error)
      if (!before) profile.tokens = await signIn.run(challenge)
      else if (!before.refresh_token) throw error
      else profile.tokens = await signIn.refresh(challenge, before.refresh_token)
      return once(use)
    }
  }

  const list = async (connection: Connection) => toTools(await connection.request('tools/list'))

  const profile: DifyProfile = {
    listTools: () => run(list),
    callTool: (name, args = {}) =>
      run(async (connection) => {
        const params = { name, arguments: toSentArguments(args) }
        return toCallResult(await connection.request('tools/call', params))
      }),
    async reauthorize() {
      profile.tokens = undefined
      return run(list)
    },
    requests,
    tokens: undefined,
  }
  return profile
}

function bearerOf(tokens: DifyTokens | undefined): Header[] {
  if (!tokens) return []
  const type = tokens.token_type
  const scheme = type.slice(0, 1).toUpperCase() + type.slice(1).toLowerCase()
  return [['Authorization', `${scheme} ${tokens.access_token}`]]
}
