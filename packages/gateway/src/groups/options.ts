import type { Clock } from '@dataagent/guard'
import type { Hub, Principal, Vault } from '@dataagent/hub'
import type { GrantRows, GroupRow, GroupRows, TokenCraft } from '../ports.ts'
import type { ToolGroup } from './contract.ts'
import type { GroupWriter } from './group-writer.ts'
import type { KeyMaker } from './make-key.ts'

export interface GroupsOptions {
  rows: GroupRows
  grants: Pick<GrantRows, 'revoke'>
  hub: Pick<Hub, 'note'> & {
    policy: Pick<Hub['policy'], 'allowList' | 'setAllowList' | 'clearAllowList'>
    revisions: Pick<Hub['revisions'], 'publish'>
  }
  vault: Vault
  craft: TokenCraft
  clock?: Clock | undefined
  /** Told of what fails in the background. Must not throw. */
  onError?: ((error: unknown) => void) | undefined
}

/** What changes are made with. */
export interface ChangeMeans extends Pick<GroupsOptions, 'rows' | 'grants' | 'hub' | 'craft'> {
  writer: GroupWriter
  keys: KeyMaker
  clock: Clock
  onError(error: unknown): void
  /** The group of an administrator's tenant; throws `forbidden` or `not_found`. */
  ownOf(by: Principal, group_id: string): GroupRow
  view(group_id: string): ToolGroup
}
