import { createExclusive } from '@dataagent/guard'
import { isAppError } from '@dataagent/schema'
import { isMcpError, McpError } from '../../errors.ts'
import type { OAuthRecord, OAuthStore } from './oauth-store.ts'
import type { ClientRecord, Discovery, ServerRecord, SignInRecord, TokenRecord } from './records.ts'

/** How many authorization servers of one server are remembered with what they gave. */
const mostIssuers = 4

export interface CredentialsOptions {
  store: OAuthStore
  serverUrl: URL
  onWarning: (text: string) => void
}

/** All that is kept for one server, keyed by issuer: nothing of one is ever found under another. */
export interface Credentials {
  /** The tokens for the issuer that the server names now. From memory, if they are there. */
  tokens(): Promise<TokenRecord | undefined>
  /** The same as the store has them: another process may have renewed them. */
  reload(): Promise<TokenRecord | undefined>
  tokensOf(issuer: string): Promise<TokenRecord | undefined>
  /** Never rejects: what could not be stored is kept in memory, and stored by the next `tokens`. */
  saveTokens(tokens: TokenRecord): Promise<void>
  dropTokens(issuer: string): Promise<void>
  server(): Promise<ServerRecord | undefined>
  saveServer(discovery: Discovery, bound?: ServerRecord['bound']): Promise<void>
  client(issuer: string): Promise<ClientRecord | undefined>
  saveClient(client: ClientRecord): Promise<void>
  dropClient(issuer: string): Promise<void>
  signIns(): Promise<SignInRecord[]>
  saveSignIns(signIns: SignInRecord[]): Promise<void>
  /** Runs `work` while nobody else changes what is kept for this server. */
  exclusively<T>(work: () => Promise<T>): Promise<T>
}

export function createCredentials(options: CredentialsOptions): Credentials {
  const { onWarning } = options
  const store = guarded(options.store)
  const lock = options.store.lock ?? createExclusive()
  const keyOf = (kind: string, issuer?: string) =>
    JSON.stringify(['mcp-oauth', kind, options.serverUrl.href, ...(issuer ? [issuer] : [])])
  let held: TokenRecord | undefined
  let isUnsaved = false

  async function server() {
    return (await store.get(keyOf('server'))) as ServerRecord | undefined
  }

  async function tokensOf(issuer: string) {
    if (isUnsaved && held?.issuer === issuer) return held
    return (await store.get(keyOf('tokens', issuer))) as TokenRecord | undefined
  }

  async function reload() {
    const issuer = (await server())?.discovery.authorization_server.issuer
    held = issuer === undefined ? undefined : await tokensOf(issuer)
    return held
  }

  async function save(tokens: TokenRecord) {
    held = tokens
    try {
      await store.set(keyOf('tokens', tokens.issuer), { ...tokens })
      isUnsaved = false
    } catch {
      if (!isUnsaved) onWarning('mcp: new tokens could not be stored; they are kept in memory')
      isUnsaved = true
    }
  }

  async function letGo() {
    if (isUnsaved && held) await save(held)
    held = undefined
    isUnsaved = false
  }

  return {
    server,
    tokensOf,
    reload,
    async tokens() {
      if (isUnsaved && held) await save(held)
      return held ?? reload()
    },
    saveTokens: save,
    async dropTokens(issuer) {
      if (held?.issuer === issuer) {
        held = undefined
        isUnsaved = false
      }
      await store.delete(keyOf('tokens', issuer))
    },
    async saveServer(discovery, bound) {
      const before = await server()
      const { issuer } = discovery.authorization_server
      if (held?.issuer !== issuer) await letGo()
      const issuers = [issuer, ...(before?.issuers ?? []).filter((one) => one !== issuer)]
      for (const gone of issuers.splice(mostIssuers)) {
        await store.delete(keyOf('tokens', gone))
        await store.delete(keyOf('client', gone))
      }
      const binding = bound ?? before?.bound
      await store.set(keyOf('server'), { discovery, issuers, ...(binding && { bound: binding }) })
    },
    async client(issuer) {
      return (await store.get(keyOf('client', issuer))) as ClientRecord | undefined
    },
    saveClient: (client) => store.set(keyOf('client', client.issuer), { ...client }),
    dropClient: (issuer) => store.delete(keyOf('client', issuer)),
    async signIns() {
      const record = await store.get(keyOf('sign-ins'))
      return (record?.sign_ins ?? []) as SignInRecord[]
    },
    saveSignIns: (signIns) => store.set(keyOf('sign-ins'), { sign_ins: signIns }),
    exclusively: (work) => attempt(() => lock(keyOf('lock'), work)),
  }
}

type Records = Pick<OAuthStore, 'get' | 'set' | 'delete'>

/** The store, failing as this package fails: what it throws may hold what it was given. */
function guarded(store: OAuthStore): Records {
  return {
    get: (key) => attempt(() => store.get(key)),
    set: (key, value: OAuthRecord) => attempt(() => store.set(key, value)),
    delete: (key) => attempt(() => store.delete(key)),
  }
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isMcpError(error)) throw error
    throw new McpError({
      kind: 'unavailable',
      code: 'store_unavailable',
      message: 'mcp: the store of the sign-ins failed',
      retryable: true,
      cause: isAppError(error) ? error : undefined,
    })
  }
}
