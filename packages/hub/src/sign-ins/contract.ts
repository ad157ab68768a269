import type {
  AuthorizationResponse,
  OAuthAuthorizerOptions,
  OAuthClient,
  PendingSignIn,
  SignInStatus,
} from '@dataagent/mcp'
import type { Principal } from '../principal.ts'
import type { RegisteredServer } from '../servers/index.ts'

/** Whose sign-in it is; the empty user is that of a connection that is shared. */
export interface SignInRef {
  tenant_id: string
  server_id: string
  user_id: string
  record_id: string
}

export interface SignInRow extends SignInRef {
  /** Sealed. */
  value: string
  updated_at: number
}

/** What sign-ins at servers have come to. It goes with its server. */
export interface SignInRows {
  get(ref: SignInRef): Promise<SignInRow | undefined>
  put(row: SignInRow): Promise<void>
  delete(ref: SignInRef): Promise<void>
}

/** How this installation presents itself to authorization servers. */
export interface OAuthOptions
  extends Pick<OAuthAuthorizerOptions, 'redirectUrl' | 'clientMetadata' | 'clientMetadataUrl'> {
  /** A client that was registered by hand. */
  clientFor?: ((server: RegisteredServer) => OAuthClient | undefined) | undefined
}

/**
 * Signs people in at servers that want OAuth. A server's health carries `authorization_url` while
 * one is needed. Of a shared connection that is an administrator's business, of a user's own the
 * user's: `forbidden` for others, `not_found` for a server that the caller may not see,
 * `invalid_request` for one that nobody signs in at.
 */
export interface SignIns {
  status(by: Principal, server_id: string): Promise<SignInStatus>
  /** Gives the address to open in the person's browser. */
  begin(by: Principal, server_id: string): Promise<PendingSignIn>
  /**
   * Takes what the browser brought back to `redirectUrl`, in whichever process, and connects. The
   * host sees to it that it is the browser of `by`. `not_found` for an answer to nothing.
   */
  finish(by: Principal, response: AuthorizationResponse): Promise<{ server_id: string }>
  /** Forgets the tokens. */
  signOut(by: Principal, server_id: string): Promise<void>
}
