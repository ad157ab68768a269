import { systemClock } from '@dataagent/guard'
import { isAdministrator, isAuditor, isMachine, type Principal } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import { assertAdministrator } from '../access.ts'
import type { GroupRow } from '../ports.ts'
import type { Groups } from './contract.ts'
import { createFindByKey } from './find-by-key.ts'
import { createGroupChanges } from './group-changes.ts'
import { toView } from './group-view.ts'
import { createGroupWriter } from './group-writer.ts'
import { createHeldGroups } from './held-groups.ts'
import { createKeyChanges } from './key-changes.ts'
import { toKeyState } from './key-state.ts'
import { createKeyMaker } from './make-key.ts'
import type { ChangeMeans, GroupsOptions } from './options.ts'

/** The tool groups of the installation; `reload` fills memory. */
export function createGroups(options: GroupsOptions): Groups {
  const { rows, hub, clock = systemClock, onError = () => {} } = options
  const held = createHeldGroups()
  const writer = createGroupWriter({ rows, held, publish: hub.revisions.publish })
  const keys = createKeyMaker(options)
  const means: ChangeMeans = { ...options, clock, writer, keys, onError, ownOf, view }

  /** The group of an administrator's tenant, else `forbidden` or `not_found`. */
  function ownOf(by: Principal, group_id: string): GroupRow {
    assertAdministrator(by)
    const row = held.get(group_id)
    if (row !== undefined && row.tenant_id === by.tenant_id) return row
    throw new AppError('not_found', `there is no tool group ${group_id}`)
  }

  function view(group_id: string) {
    const row = held.get(group_id)
    if (row === undefined) throw new AppError('not_found', `there is no tool group ${group_id}`)
    return toView(row, hub.policy.allowList(row.tenant_id, { kind: 'group', id: group_id }))
  }

  function rehash(row: GroupRow, fields: Partial<GroupRow>): void {
    const { key_number: ifKeyNumber } = row
    writer.update(row, fields, { ifKeyNumber }).catch(onError)
  }

  function isBoundKey(tenant_id: string, key_id: string | null | undefined): boolean {
    if (key_id === null || key_id === undefined) return false
    const ids = [key_id, '*']
    return ids.some((id) => hub.policy.allowList(tenant_id, { kind: 'api_key', id }) !== undefined)
  }

  return {
    get: held.get,
    isBoundKey,
    findByKey: createFindByKey({ held, craft: options.craft, clock, onStale: rehash }),
    holds(group_id, key_id) {
      const row = held.get(group_id)
      if (row === undefined || row.enabled === 0) return false
      return key_id === null || toKeyState(row, key_id, clock.now()) === 'ok'
    },
    offeredTo(principal) {
      const isAll = isAdministrator(principal)
      const { tenant_id, api_key } = principal
      const isPerson = !isMachine(principal) && !isAuditor(principal)
      const own = isPerson && !isBoundKey(tenant_id, api_key) ? held.ofTenant(tenant_id) : []
      return own.filter((row) => row.enabled && (isAll || row.open_to_users)).sort(byName)
    },
    list(by) {
      assertAdministrator(by)
      const own = held.ofTenant(by.tenant_id).sort(byName)
      return own.map(({ group_id }) => view(group_id))
    },
    view: (by, group_id) => view(ownOf(by, group_id).group_id),
    ...createGroupChanges(means),
    ...createKeyChanges(means),
    pinNames: writer.pinNames,
    reload: writer.reload,
    onChange: writer.onChange,
  }
}

function byName(a: GroupRow, b: GroupRow): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.group_id < b.group_id ? -1 : 1
}
