import { createHash } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { toGuardedStore } from './guarded-store.ts'
import type { OAuthStore } from './oauth-store.ts'
import type { ClientRecord, Discovery, ServerRecord, SignInRecord, TokenRecord } from './records.ts'

/** How many authorization servers of one server are remembered with what they gave. */
const mostIssuers = 4
/** How long a store that failed is left alone. */
const pauseMs = 5_000
/** How long it is believed that nobody has signed in: every request asks. */
const absentMs = 1_000

export interface CredentialsOptions {
  store: OAuthStore
  serverUrl: URL
  onWarning: (text: string) => void
  clock: Clock
}

/** All that is kept for one server, keyed by issuer: nothing of one is ever found under another. */
export interface Credentials {
  /**
   * The tokens for the issuer that the server names now. From memory, if they are there; that
   * there are none is known up to a second late where another process has signed in.
   */
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
  const { onWarning, clock } = options
  const store = toGuardedStore(options.store)
  const name = toServerName(options.serverUrl)
  const keyOf = (kind: string, ...issuer: string[]) =>
    JSON.stringify(['mcp-oauth', kind, name, ...issuer])
  let held: TokenRecord | undefined
  let isUnsaved = false
  let changes = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  let absentUntil = Number.NEGATIVE_INFINITY

  async function server() {
    return (await store.get(keyOf('server'))) as ServerRecord | undefined
  }

  async function tokensOf(issuer: string) {
    if (isUnsaved && held?.issuer === issuer) return held
    return (await store.get(keyOf('tokens', issuer))) as TokenRecord | undefined
  }

  async function reload() {
    const before = changes
    const issuer = (await server())?.discovery.authorization_server.issuer
    const found = issuer === undefined ? undefined : await tokensOf(issuer)
    // What was read while somebody wrote may be what has just been replaced.
    if (changes === before) {
      held = found
      absentUntil = clock.monotonic() + absentMs
    }
    return found
  }

  function hold(tokens: TokenRecord | undefined) {
    changes += 1
    held = tokens
    absentUntil = Number.NEGATIVE_INFINITY
  }

  async function save(tokens: TokenRecord) {
    hold(tokens)
    try {
      await store.set(keyOf('tokens', tokens.issuer), { ...tokens })
      isUnsaved = false
    } catch {
      if (!isUnsaved) onWarning('mcp: new tokens could not be stored; they are kept in memory')
      isUnsaved = true
      pausedUntil = clock.monotonic() + pauseMs
    }
  }

  const exclusively = <T>(work: () => Promise<T>) => store.lock(keyOf('lock'), work)

  /** In turn with all other writing, so that nothing older is written last. */
  async function saveLate() {
    pausedUntil = clock.monotonic() + pauseMs
    await exclusively(async () => {
      if (isUnsaved && held) await save(held)
    })
  }

  async function letGo() {
    if (isUnsaved && held) await save(held)
    hold(undefined)
    isUnsaved = false
  }

  return {
    server,
    tokensOf,
    reload,
    async tokens() {
      // What cannot be stored is no reason not to use it.
      if (isUnsaved && clock.monotonic() >= pausedUntil) await saveLate().catch(() => {})
      if (held === undefined && clock.monotonic() < absentUntil) return undefined
      return held ?? reload()
    },
    saveTokens: save,
    async dropTokens(issuer) {
      if (held?.issuer === issuer) isUnsaved = false
      await store.delete(keyOf('tokens', issuer))
      hold(held?.issuer === issuer ? undefined : held)
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
    exclusively,
  }
}

/** What a server is called in keys: of a query, which may hold a secret, only the hash. */
function toServerName({ origin, pathname, search }: URL): string {
  const mark = search && `?${createHash('sha256').update(search).digest('base64url')}`
  return `${origin}${pathname}${mark}`
}
