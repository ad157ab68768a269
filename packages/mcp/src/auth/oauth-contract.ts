import type { Clock } from '@dataagent/guard'
import type { OAuthClientMetadata } from '@modelcontextprotocol/client'
import type { Authorizer } from './contract.ts'
import type { OAuthWayOut } from './requests/oauth-requests.ts'
import type { OAuthStore } from './storage/oauth-store.ts'

/** A client that was registered by hand. */
export interface OAuthClient {
  client_id: string
  client_secret?: string
  /** For `private_key_jwt` (RFC 7523): PKCS #8 in PEM, or a JWK. */
  private_key?: string | Record<string, unknown>
  /** Of the private key. Default `ES256`. */
  algorithm?: string
  /** How it shows who it is. Default: by what it has, as the authorization server wants it. */
  token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'none'
  /**
   * The issuer it was registered with; no other is shown its credentials. Without it, the first one
   * that the server names is kept to: whoever controls the server chooses that.
   */
  issuer?: string
}

/** What all authorizers that ask an authorization server need. */
export interface OAuthCommonOptions extends OAuthWayOut {
  /** The MCP server. https, or http on this machine. */
  serverUrl: string | URL
  /** Default: in memory. */
  store?: OAuthStore
  /** To be asked for besides what the server demands. Default: what the server names. */
  scopes?: readonly string[]
  /** Something odd that ended nothing: for a log. Must not throw. */
  onWarning?: (text: string) => void
  clock?: Clock
}

export interface OAuthAuthorizerOptions extends OAuthCommonOptions {
  /** Where the person's browser comes back to: https, or http on this machine. */
  redirectUrl: string
  /**
   * How this client presents itself where it registers by itself. `grant_types` without
   * `refresh_token` says that no refresh token is wanted.
   */
  clientMetadata?: Partial<OAuthClientMetadata>
  /** The https address of this client's metadata document, which then is its `client_id`. */
  clientMetadataUrl?: string
  /** Goes before the metadata document, and that before dynamic registration. */
  client?: OAuthClient
}

/** A sign-in that waits for a person. */
export interface PendingSignIn {
  /** To be opened in the person's browser, as one argument and never through a shell. */
  authorizationUrl: string
  /** Comes back with the answer: by it a host finds whose answer it is. */
  state: string
  issuer: string
  /** Milliseconds since 1970: an answer that comes later is refused. */
  expires_at: number
}

/** The parameters with which the browser comes back to `redirectUrl`, decoded. */
export interface AuthorizationResponse {
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

export type SignInStatus =
  | { status: 'signed_out' }
  | { status: 'pending'; signIn: PendingSignIn }
  | { status: 'signed_in'; issuer: string; scope?: string; expires_at?: number }

/**
 * Signs a person in at the authorization server of one MCP server, and keeps them signed in. All
 * methods reject with an McpError. Needs no closing: what is under way ends by itself, at the
 * latest with the egress.
 */
export interface OAuthAuthorizer extends Authorizer {
  status(): Promise<SignInStatus>
  /** Begins a sign-in without waiting for the server to refuse something. */
  signIn(options?: { signal?: AbortSignal | undefined }): Promise<PendingSignIn>
  /**
   * Ends a sign-in with what the browser brought back. Rejects with kind `sign_in` when the answer
   * belongs to no sign-in under way, comes from another issuer or is a refusal; then nothing of it
   * was sent anywhere. An answer that only could not be handed in just now may be tried again. That
   * the browser is that of the person who began the sign-in is for the host to see to.
   */
  finish(
    response: AuthorizationResponse,
    options?: { signal?: AbortSignal | undefined },
  ): Promise<void>
  /**
   * Forgets the tokens, and then tells the authorization server where it has a way to be told
   * (RFC 7009). That it could not be told is a warning, not a failure.
   */
  signOut(options?: { signal?: AbortSignal | undefined }): Promise<void>
}
