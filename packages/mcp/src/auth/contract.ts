/** What an HTTP server said when it refused a request for want of a credential. */
export interface Challenge {
  status: 401 | 403
  /** The header WWW-Authenticate. */
  wwwAuthenticate: string | undefined
}

/** Gives the HTTP transports their credential. Shared by all requests to one server. */
export interface Authorizer {
  /** The headers that carry the credential now; none where there is none yet. */
  headers(): Promise<Record<string, string>>
  /**
   * Called when a request with the headers `sent` was refused. Resolves when the request should be
   * sent once more with new headers; rejects with an McpError of kind `sign_in` when a person must
   * act (`data.authorizationUrl`), or `http` when the refusal is final.
   */
  challenged(
    challenge: Challenge,
    options: { sent: Record<string, string>; signal?: AbortSignal | undefined },
  ): Promise<void>
}
