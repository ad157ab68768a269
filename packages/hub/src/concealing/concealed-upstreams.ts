import { randomUUID } from 'node:crypto'
import type { Clock } from '@dataagent/guard'
import { type Authorizer, isMcpError } from '@dataagent/mcp'
import { createSecret, isPlainObject } from '@dataagent/schema'
import type { Catalogue, Observed } from '../catalogue/index.ts'
import type { HubOptions } from '../hub-options.ts'
import { originOf, type RegisteredServer, type Servers } from '../servers/index.ts'
import type { HeldSessions } from '../sessions/index.ts'
import type { Authorizers } from '../sign-ins/index.ts'
import {
  createUpstreams,
  type UpstreamKey,
  type UpstreamLogLine,
  type Upstreams,
} from '../upstreams/index.ts'
import { createSecretsBook } from './secrets-book.ts'
import { toConcealed } from './to-concealed.ts'

type ServerPlace = Pick<UpstreamKey, 'tenant_id' | 'server_id'>

export interface UpstreamRooms {
  servers: Servers
  snapshotOf: HeldSessions['snapshotOf']
  authorizers: Authorizers
  catalogue: Catalogue
  clock: Clock
}

/** The connections, from which comes no credential that was sent out on the same way. */
export function createConcealedUpstreams(options: HubOptions, rooms: UpstreamRooms): Upstreams {
  const { servers, snapshotOf, authorizers, catalogue, clock } = rooms
  const book = createSecretsBook({ masker: options.masker, clock })
  servers.onChange((change) => {
    if (change.kind === 'superseded') book.learn(change.edition, change.edition.config)
    if (change.kind !== 'removed') return
    book.forget(change)
    authorizers.forget(change)
  })
  const upstreams = createUpstreams({
    servers: { ...servers, resolveFor },
    snapshotOf,
    observe: (server, seen) => catalogue.observe(server, concealSeen(server, seen)),
    egressFor: options.egressFor,
    authorizerFor,
    kv: options.kv,
    owner: randomUUID(),
    clock,
    limits: options.settings?.upstreams,
    backoff: options.settings?.reconnect,
    questions: options.questions,
    passesQuestions: options.passesQuestions,
    sandboxFor: options.sandboxFor,
    createTransport: options.createTransport,
    onLog: ({ text, ...line }) => options.onLog?.({ ...line, message: concealLine(text, line) }),
  })
  return {
    ...upstreams,
    async call(key, call) {
      const quiet = { ...call, options: toConcealed(call.options, conceal, key) }
      const answer = await upstreams.call(key, quiet).catch((error) => {
        throw withoutSecrets(key, error)
      })
      return { ...answer, result: await concealLarge(key, answer.result) }
    },
    async ask(key, call) {
      const quiet = { ...call, options: toConcealed(call.options, conceal, key) }
      const answer = await upstreams.ask(key, quiet).catch((error) => {
        throw withoutSecrets(key, error)
      })
      return { ...answer, result: await concealLarge(key, answer.result) }
    },
    async subscribe(key, ...given) {
      return await upstreams.subscribe(key, ...given).catch((error) => {
        throw withoutSecrets(key, error)
      })
    },
    describe: (key) => conceal(key, upstreams.describe(key)),
    onNotice: (handler) =>
      upstreams.onNotice(({ notice, ...key }) => handler({ ...key, notice: conceal(key, notice) })),
  }

  /** An edition may go out with what its server was connected with, and has signed in for. */
  function conceal<T>(key: UpstreamKey, said: T): T {
    const server_id = originOf(key.server_id)
    const clean = book.conceal(key, said)
    return server_id === key.server_id ? clean : book.conceal({ ...key, server_id }, clean)
  }

  function concealLine(text: string, line: Omit<UpstreamLogLine, 'text' | 'level'>): string {
    const { tenant_id, server_id, user_id = null } = line
    if (tenant_id === undefined || server_id === undefined) return text
    return conceal({ tenant_id, server_id, user_id }, text)
  }

  async function concealLarge<T>(key: UpstreamKey, said: T): Promise<T> {
    const server_id = originOf(key.server_id)
    const clean = await book.concealLarge(key, said)
    return server_id === key.server_id ? clean : book.concealLarge({ ...key, server_id }, clean)
  }

  async function resolveFor(...[server, user_id]: Parameters<Servers['resolveFor']>) {
    const stored = await servers.resolveFor(server, user_id)
    const mayAsk = stored.status === 'needs_credential' && user_id !== null
    const resolved =
      mayAsk && authorizers.isFor(server)
        ? await servers.resolveFor(withoutOwn(server), user_id)
        : stored
    const config = resolved.status === 'ok' ? resolved.config : undefined
    const { tenant_id, server_id } = server
    book.learn({ tenant_id, server_id, user_id }, config)
    return resolved
  }

  function authorizerFor(server: RegisteredServer, user_id: string | null) {
    const authorizer = options.authorizerFor?.(server, user_id) ?? authorizers.get(server, user_id)
    return authorizer && learning(authorizer, server, user_id)
  }

  /** What requests go out with is not to come back. */
  function learning(
    authorizer: Authorizer,
    { tenant_id, server_id, config }: RegisteredServer,
    user_id: string | null,
  ): Authorizer {
    return {
      challenged: (...refused) => authorizer.challenged(...refused),
      async headers() {
        const given = await authorizer.headers()
        if (config.transport === 'stdio') return given
        const secrets = Object.entries(given).map(([name, value]) => [name, createSecret(value)])
        const headers = { ...config.headers, ...Object.fromEntries(secrets) }
        book.learn({ tenant_id, server_id, user_id }, { ...config, headers })
        return given
      },
    }
  }

  /** By the server's own credentials alone, and never what a tool is called. */
  function concealSeen(place: ServerPlace, seen: Observed): Observed {
    if (seen.status !== 'offers') return seen
    const { user_id = null } = servers.get(place.tenant_id, place.server_id) ?? {}
    const concealTool = (tool: unknown) => {
      const clean = conceal({ ...place, user_id }, tool)
      return isPlainObject(tool) && isPlainObject(clean) ? { ...clean, name: tool.name } : clean
    }
    return {
      ...seen,
      tools: { [Symbol.iterator]: () => Iterator.from(seen.tools).map(concealTool) },
    }
  }

  function withoutSecrets(key: UpstreamKey, error: unknown): unknown {
    if (!(error instanceof Error)) return error
    error.message = conceal(key, error.message)
    return isMcpError(error) && error.rpc
      ? Object.assign(error, { rpc: conceal(key, error.rpc) })
      : error
  }
}

/** Where users sign in, they need not have given credentials by hand. */
function withoutOwn(server: RegisteredServer): RegisteredServer {
  return { ...server, config: { ...server.config, credentials: 'shared' } }
}
