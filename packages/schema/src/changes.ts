import { z } from 'zod'
import type { Role } from './users.ts'

/** What is changed, for the record of changes. */
export const changeKindSchema = z.enum([
  'server',
  'credential',
  'tool',
  'allow_list',
  'rule',
  'limit',
  'approval',
  'user',
  'api_key',
  'tenant',
  'agent',
  'model_provider',
  'setting',
  'tool_group',
  'data_source',
  'data_definition',
  'data_question',
])
export type ChangeKind = z.infer<typeof changeKindSchema>

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
