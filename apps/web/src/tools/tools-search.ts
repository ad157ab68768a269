const tabs = ['mine', 'shared', 'catalogue'] as const
export type ToolsTab = (typeof tabs)[number]

/** What the address of the tools page says beside its path. */
export interface ToolsSearch {
  tab?: ToolsTab
  /** How a sign-in at a server has ended: its browser comes back here. */
  sign_in?: 'done' | 'failed'
  server_id?: string
  error_code?: string
}

export function toToolsSearch(search: Record<string, unknown>): ToolsSearch {
  const { tab, sign_in, server_id, error_code } = search
  return {
    ...(isOneOf(tabs, tab) && { tab }),
    ...(isOneOf(['done', 'failed'] as const, sign_in) && { sign_in }),
    ...(isText(server_id) && { server_id }),
    ...(isText(error_code) && { error_code }),
  }
}

const serverTabs = ['tools', 'waiting', 'access', 'calls', 'settings'] as const
export type ServerTab = (typeof serverTabs)[number]

/** The same of the page of one server. */
export interface ServerSearch {
  tab?: ServerTab
  q?: string
  offset?: number
  /** Whose calls: an administrator may look at all. */
  calls?: 'all'
}

export function toServerSearch(search: Record<string, unknown>): ServerSearch {
  const { tab, q, offset, calls } = search
  return {
    ...(isOneOf(serverTabs, tab) && { tab }),
    ...((isText(q) || typeof q === 'number') && { q: String(q) }),
    ...(typeof offset === 'number' && offset > 0 && { offset: Math.floor(offset) }),
    ...(calls === 'all' && { calls }),
  }
}

function isOneOf<T extends string>(all: readonly T[], value: unknown): value is T {
  return all.includes(value as T)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
