/** Where the parts of a session and the ways to find it are. */
export interface SessionKeys {
  /** The session, its events and its messages: in one slot, by the braces. */
  of(session_id: string): [session: string, events: string, messages: string]
  byUser(tenant_id: string, user_id: string): string
  byAssistant(tenant_id: string, assistant_id: string): string
  /** All sessions of all tenants by their last activity. */
  readonly byActivity: string
}

/** Beside the values of a KV with the same prefix, none of which begins with `#`. */
export function createSessionKeys(prefix: string): SessionKeys {
  const indexOf = (kind: string, ...parts: string[]) =>
    `${prefix}#sessions:${[kind, ...parts.map(encodeURIComponent)].join(':')}`
  return {
    of(session_id) {
      const own = `${prefix}#session:{${encodeURIComponent(session_id)}}`
      return [own, `${own}:events`, `${own}:messages`]
    },
    byUser: (tenant_id, user_id) => indexOf('user', tenant_id, user_id),
    byAssistant: (tenant_id, assistant_id) => indexOf('assistant', tenant_id, assistant_id),
    byActivity: indexOf('active'),
  }
}
