/** What an HTTP server said when it refused a request for want of a credential. */
export interface Challenge {
  status: 401 | 403
  /** The header WWW-Authenticate; several of them joined by commas. */
  wwwAuthenticate: string | undefined
}

/** Gives the HTTP transports their credential. Shared by all requests to one server. */
export interface Authorizer {
  /**
   * The headers that carry the credential now; none where there is none yet. May take a while when
   * the credential has to be renewed first; rejects as `challenged` does when that fails.
   */
  headers(): Promise<Record<string, string>>
  /**
   * Called when a request with the headers `sent` was refused. Resolves when the request should be
   * sent once more with new headers; rejects with an McpError of kind `sign_in` when a person must
   * act (`data.authorizationUrl`), or `http` when the refusal is final. Any other kind says that
   * the credential could not be renewed just now; it is kept.
   */
  challenged(
    challenge: Challenge,
    options: { sent: Record<string, string>; signal?: AbortSignal | undefined },
  ): Promise<void>
}
