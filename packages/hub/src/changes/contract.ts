import type { ChangeKind, NewChange } from '@dataagent/schema'
import type { Principal } from '../principal.ts'

export type { ChangeAction, ChangeKind, NewChange } from '@dataagent/schema'

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
