import type { User } from '@dataagent/schema'
import type { StoredKey } from './api-keys.ts'
import type { Noted, Page } from './page.ts'

interface UserSearch {
  q?: string | undefined
}

export interface Users {
  /**
   * Throws `conflict` where the id is taken in this tenant, `not_found` for an unknown tenant, and
   * `quota_exceeded` where the tenant has `max` users already, counted in the same transaction: of
   * any number at once, as many succeed as there is room for.
   */
  create(user: User, options?: Noted & { max?: number | null }): Promise<void>
  get(tenant_id: string, user_id: string): Promise<User | undefined>
  /** By user_id; with `q` those in whose name or id it is, without regard to case. */
  list(tenant_id: string, page: Page & UserSearch): Promise<User[]>
  count(tenant_id: string, search?: UserSearch): Promise<number>
  /**
   * Throws `not_found`; and `conflict` where the tenant would be left without a person who is not
   * disabled and manages it (`admin` or `platform_admin`), or the installation without a
   * `platform_admin`, judged in the same transaction. With a role that manages nothing, the user's
   * keys no longer act for others.
   */
  update(
    tenant_id: string,
    user_id: string,
    change: Partial<Pick<User, 'name' | 'role' | 'disabled_at'>>,
    options?: Noted,
  ): Promise<User>
  /**
   * Enables the user, gives them this role and stores a key of theirs, all or nothing: for one whom
   * nobody else can let in. Throws `not_found`.
   */
  reinstate(
    user: Pick<User, 'tenant_id' | 'user_id' | 'role'>,
    key: StoredKey,
    options?: Noted,
  ): Promise<void>
}
