import type { Role } from '@dataagent/schema'
import type { Principal } from '../principal.ts'

export type ChangeKind =
  | 'server'
  | 'credential'
  | 'tool'
  | 'allow_list'
  | 'rule'
  | 'limit'
  | 'approval'
  | 'user'
  | 'api_key'
  | 'tenant'
  | 'agent'
  | 'model_provider'
  | 'setting'
  | 'tool_group'

export type ChangeAction =
  | 'added'
  | 'changed'
  | 'enabled'
  | 'disabled'
  | 'removed'
  | 'approved'
  | 'rejected'
  | 'handed_over'
  | 'asked_again'
  | 'copied'
  | 'revoked'

/** What someone has changed, to be stored in the same transaction as the change itself. */
export interface NewChange {
  change_id: string
  /** Whose server, policy or approval it is; `*` for what holds for all tenants. */
  tenant_id: string
  changed_at: number
  /** Who: the tenant, the user and the API key of the one who made the change. */
  by_tenant: string
  user_id: string | null
  role: Role
  api_key: string | null
  kind: ChangeKind
  /** An id; of a tool `server_id/name`, of an allow-list `kind:id` of its subject. */
  target: string
  action: ChangeAction
  /**
   * JSON of what it was and of what it is, without secrets; where that is long, `sha256` and
   * `characters` of it instead.
   */
  before: string | null
  after: string | null
}

export interface ChangeRow extends NewChange {
  /** That the change took; approvals have none. */
  revision: number | null
}

export interface ChangeRows {
  /** Newest first. */
  query(query: ChangeLogQuery): Promise<ChangeRow[]>
}

export interface ChangeLogQuery {
  tenant_id: string
  kind?: ChangeKind | undefined
  target?: string | undefined
  user_id?: string | undefined
  from?: number | undefined
  to?: number | undefined
  limit: number
  offset: number
}

/** What one may ask for; `platform` is what holds for all tenants. */
export type ChangeQuery = Omit<ChangeLogQuery, 'tenant_id'> & { platform?: boolean | undefined }

/** What happened, as the one who makes it happen knows it. */
export interface Happened extends Pick<NewChange, 'tenant_id' | 'kind' | 'target' | 'action'> {
  before?: unknown
  after?: unknown
}

/** Makes the note of a change. Never throws. */
export type Note = (by: Principal, happened: Happened) => NewChange
