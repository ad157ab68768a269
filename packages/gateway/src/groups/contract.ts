import type { AllowEntry, CatalogueEntry, Principal, ToolRef } from '@dataagent/hub'
import type { GroupRow } from '../ports.ts'

/** A tool group as administrators see it: no key, no hash. */
export interface ToolGroup {
  group_id: string
  tenant_id: string
  name: string
  description: string
  enabled: boolean
  open_to_users: boolean
  shown_once: boolean
  /** Which tools; `*` is every server, or every tool of one. */
  tools: readonly AllowEntry[]
  key:
    | {
        key_id: string
        created_at: number
        expires_at: number | null
        revoked_at: number | null
        /** Whether `copyKey` gives it. */
        can_copy: boolean
        /** Until when the key before it holds too. */
        previous_until: number | null
      }
    | undefined
  created_at: number
  created_by: string | null
  updated_at: number
}

export interface NewGroup {
  /** Default: made of the name. */
  group_id?: string | undefined
  name: string
  description?: string | undefined
  enabled?: boolean | undefined
  open_to_users?: boolean | undefined
  shown_once?: boolean | undefined
  tools: readonly AllowEntry[]
  /** When its key ends; null, the default, is never. */
  key_expires_at?: number | null | undefined
}

export type GroupChange = Partial<Omit<NewGroup, 'group_id'>>

/** What opens a group: found by a key, not told to clients. */
export type KeyVerdict =
  | { status: 'ok'; group: GroupRow; key_id: string }
  | { status: 'wrong' | 'expired' | 'revoked' | 'disabled' }

/**
 * The tool groups of the installation, held in memory at the store's revision. Reads are at once.
 * What changes asks who: an administrator of the tenant, else `forbidden`; `not_found` for a group
 * of another tenant. Each change is in the record of changes.
 */
export interface Groups {
  get(group_id: string): GroupRow | undefined
  /** Whether a grant or session that `key_id` gave (null: a person did) still holds. */
  holds(group_id: string, key_id: string | null): boolean
  /** Constant time for every wrong key; keys of another form are `wrong` without a look. */
  findByKey(key: string): KeyVerdict
  /** The groups that this person may pick, sorted by name: none by a key that is bound. */
  offeredTo(principal: Principal): readonly GroupRow[]
  /**
   * Whether a person's API key is held to an allow-list of its own, which the tools of a group are
   * not held to: it opens none.
   */
  isBoundKey(tenant_id: string, key_id: string | null | undefined): boolean

  list(by: Principal): readonly ToolGroup[]
  view(by: Principal, group_id: string): ToolGroup
  /** Gives the key too: `mk_…`. */
  create(by: Principal, group: NewGroup): Promise<{ group: ToolGroup; key: string }>
  update(by: Principal, group_id: string, change: GroupChange): Promise<ToolGroup>
  remove(by: Principal, group_id: string): Promise<void>
  /** The key once more; noted. Throws `forbidden` where it is shown once. */
  copyKey(by: Principal, group_id: string): Promise<string>
  /**
   * A new key; the old one holds `overlapMs` longer (default 0, at most 90 days), or ends with the
   * grants that it gave. Without `expires_at` the new one lives as long as the old one did.
   */
  rotateKey(
    by: Principal,
    group_id: string,
    options?: { overlapMs?: number; expires_at?: number | null },
  ): Promise<{ group: ToolGroup; key: string }>
  /** Ends the key, with all grants and sessions that it gave. */
  revokeKey(by: Principal, group_id: string): Promise<ToolGroup>
  /** Fills `hashed_api_key` of rows that have a sealed key and lack it. Gives how many. */
  fillKeyHashes(): Promise<number>
  /**
   * Hashes sealed keys anew that are hashed under an older master key. Gives how many groups have a
   * key afterwards that needs an older one still: it was shown once, or is the one before.
   */
  renewKeyHashes(): Promise<number>
  /** Pins names that are not pinned yet: for `GroupNames` alone. */
  pinNames(group_id: string, names: Record<string, string>): Promise<void>
  /** Memory follows the store: to be called by the hub's revisions. */
  reload(tenant_id?: string): Promise<void>
  /** `handler` must not throw. */
  onChange(handler: (tenant_id: string | undefined) => void): () => void
}

/** The names under which a group's tools are offered, and the way back. */
export interface GroupNames {
  /**
   * What `entries` are called in the group: bare where that is free or pinned to this tool, else
   * the wire name. New bare names are pinned in the background: until that is stored, another
   * process may decide otherwise only in the same way (entries are sorted). The same map for the
   * same array, until a name is pinned.
   */
  nameOf(group_id: string, entries: readonly CatalogueEntry[]): ReadonlyMap<CatalogueEntry, string>
  /**
   * The tool that a name stands for: pinned, also while the tool is away; else as the list of the
   * group has it, where full names (`sdk_name`, `wire_name`) count too. Whether it may be called is
   * not said. Undefined for any other name.
   */
  refOf(group_id: string, name: string): ToolRef | undefined
}
