/**
 * What a server said about who authorizes access to it, and what that authorization server said of
 * itself: checked, and no more than is used.
 */
export interface Discovery {
  /** The indicator of the protected resource (RFC 8707), spelled as the server spells it. */
  resource: string
  resource_metadata_url?: string
  /** Of the protected resource. */
  scopes_supported?: string[]
  authorization_server: AuthorizationServer
  /** Milliseconds since 1970. */
  fetched_at: number
}

/** RFC 8414, section 2. */
export interface AuthorizationServer {
  issuer: string
  authorization_endpoint?: string
  token_endpoint: string
  registration_endpoint?: string
  revocation_endpoint?: string
  scopes_supported?: string[]
  response_types_supported?: string[]
  code_challenge_methods_supported?: string[]
  token_endpoint_auth_methods_supported?: string[]
  client_id_metadata_document_supported?: boolean
  authorization_response_iss_parameter_supported?: boolean
}

/** This client as one authorization server knows it. */
export interface ClientRecord {
  issuer: string
  client_id: string
  client_secret?: string
  /** Milliseconds since 1970; never when left out. */
  client_secret_expires_at?: number
  token_endpoint_auth_method?: string
  redirect_uris?: string[]
}

export interface TokenRecord {
  issuer: string
  client_id: string
  resource: string
  access_token: string
  refresh_token?: string
  /** As granted, or as asked for where the server did not say (RFC 6749, section 5.1). */
  scope?: string
  /** Milliseconds since 1970; unknown when left out. */
  expires_at?: number
  obtained_at: number
  obtained_by: 'sign_in' | 'refresh' | 'grant'
}

/** A sign-in that a person has been sent to. Holds all that its answer is checked against. */
export interface SignInRecord {
  state: string
  code_verifier: string
  authorization_url: string
  redirect_uri: string
  client_id: string
  scope?: string
  discovery: Discovery
  created_at: number
}

/** What is known of one server: who authorizes access to it now, and did before. */
export interface ServerRecord {
  discovery: Discovery
  /** All issuers with records of their own, latest first. */
  issuers: string[]
  /** The issuer that a client registered by hand was first used with. */
  bound?: { client_id: string; issuer: string }
}
