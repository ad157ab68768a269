import type { Clock, Egress, SandboxOptions } from '@dataagent/guard'
import type { Authorizer, Implementation, ServerQuestions, Transport } from '@dataagent/mcp'
import type { Catalogue } from '../catalogue/index.ts'
import type { Kv } from '../kv-port.ts'
import type { RegisteredServer, Servers } from '../servers/index.ts'
import type { HeldSessions } from '../sessions/index.ts'
import type { ReconnectWaits, UpstreamLimits } from './contract.ts'

export interface UpstreamsOptions {
  servers: Pick<Servers, 'all' | 'editions' | 'get' | 'resolveFor' | 'onChange'>
  /** Default: no session differs from what is newest. */
  snapshotOf?: HeldSessions['snapshotOf'] | undefined
  observe: Catalogue['observe']
  /** The way out to a server. It stays open when a connection is closed. */
  egressFor(server: RegisteredServer): Egress
  kv: Kv
  /** This process's name, which no other has. */
  owner: string
  clock?: Clock | undefined
  limits?: Partial<UpstreamLimits> | undefined
  /** What servers are told that we are. */
  clientInfo?: Implementation | undefined
  /** Answers what servers ask back, of whichever process the call is. */
  questions?: ServerQuestions | undefined
  /** Whether servers are offered to ask, for the calls that bring their answers along. */
  passesQuestions?: boolean | undefined
  sandboxFor?: ((server: RegisteredServer) => SandboxOptions | undefined) | undefined
  /** After a loss; after a refusal the first wait is four times that. Default 250 ms and 60 s. */
  backoff?: ReconnectWaits | undefined
  /** In place of what the configuration says: for servers inside this process. */
  createTransport?:
    | ((server: RegisteredServer, way: 'usual' | 'sse') => Transport | undefined)
    | undefined
  /**
   * Who gives requests to a server over HTTP their credential, beside its headers; `user_id` is
   * null where the connection is shared. Asked once for each connection.
   */
  authorizerFor?:
    | ((server: RegisteredServer, user_id: string | null) => Authorizer | undefined)
    | undefined
  /** Without secrets. Must not throw. */
  onLog?: ((line: UpstreamLogLine) => void) | undefined
}

export interface UpstreamLogLine {
  level: 'info' | 'warn'
  text: string
  tenant_id?: string
  server_id?: string
  user_id?: string | null
}

export const defaultLimits: UpstreamLimits = {
  perUser: 5,
  perProcess: 500,
  perTenant: 125,
  idleMs: 5 * 60_000,
  lingerMs: 30_000,
  toolsPerServer: 2_000,
  callsPerServer: 1_024,
  callsPerPlatformServer: 1_024,
  callsPerUsersServer: 64,
  connecting: 32,
  drainMs: 30_000,
  leaseMs: 6_000,
}
