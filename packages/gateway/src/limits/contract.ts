/** Whose request it is, as the credential says. */
export interface LimitedCaller {
  group_id: string
  /** The group's key or the person: a new token or grant is no new quota. */
  quota_key: string
}

export interface LimitedRequest {
  method: string
  params?: Record<string, unknown> | undefined
  /** For an answer or a cancel, whose it is. */
  session_id?: string | undefined
}

export type LimitVerdict = { status: 'ok' } | { status: 'limited'; retryAfterMs: number }

/**
 * Requests of outside clients, per group, key or grant, method and tool in a sliding window. Every
 * session belongs to one key or grant, and what all of them send counts together: a session never
 * gets more than the limit, and no more by being opened anew. Only answers and cancels count by
 * session: a call of one client is not to hang for what others of its key send. Never throws: while
 * the KV is away it counts in this process, from what the KV said last.
 */
export interface GatewayLimits {
  take(caller: LimitedCaller, request: LimitedRequest): Promise<LimitVerdict>
}
