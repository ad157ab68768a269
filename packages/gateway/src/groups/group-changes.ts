import { randomBytes } from 'node:crypto'
import type { Principal } from '@dataagent/hub'
import { isAppError } from '@dataagent/schema'
import { assertAdministrator } from '../access.ts'
import type { GroupRow } from '../ports.ts'
import { checkGroupId, toFields, toGroupId } from './check-group.ts'
import type { Groups, NewGroup } from './contract.ts'
import { toNoted } from './group-view.ts'
import { noPrevious } from './make-key.ts'
import type { ChangeMeans } from './options.ts'

type Changes = Pick<Groups, 'create' | 'update' | 'remove'>
type Fields = Partial<Omit<GroupRow, 'group_id' | 'tenant_id'>>

const toSubject = (id: string) => ({ kind: 'group', id }) as const

/**
 * Groups are made and changed so that one who is cut off in between leaves no more rights than were
 * wanted: what takes away comes first, what gives comes last.
 */
export function createGroupChanges(means: ChangeMeans): Changes {
  const { hub, writer, keys, clock, onError, ownOf, view } = means

  /** Off until its tools are known: of an id before it a list may be left. */
  async function insert(by: Principal, group: NewGroup, group_id: string) {
    const now = clock.now()
    const fields = { ...newFields, ...toFields(group, now), api_key: null, enabled: 0 }
    const place = { group_id, tenant_id: by.tenant_id }
    const times = { now, expires_at: group.key_expires_at ?? null }
    const made = await keys.make({ ...place, shown_once: fields.shown_once }, times)
    const row: GroupRow = {
      ...{ ...fields, ...place, name: group.name, ...made.fields },
      ...{ created_at: now, created_by: by.user_id, updated_at: now },
    }
    await writer.create(row)
    return { row, key: made.key }
  }

  async function insertUnderFreeId(by: Principal, group: NewGroup) {
    const wanted = toGroupId(group.name)
    try {
      return await insert(by, group, wanted)
    } catch (error) {
      if (!isAppError(error, 'conflict')) throw error
      return insert(by, group, `${wanted}-${randomBytes(4).toString('hex')}`)
    }
  }

  async function finish(by: Principal, row: GroupRow, group: NewGroup): Promise<void> {
    await hub.policy.setAllowList(by, toSubject(row.group_id), group.tools)
    const enabled = Number(group.enabled ?? true)
    const note = noteOf(by, row, { action: 'added', after: toNoted({ ...row, enabled }) })
    await writer.update(row, { enabled }, { note })
  }

  async function drop(by: Principal, row: GroupRow, note?: ReturnType<typeof noteOf>) {
    await writer.delete(row, clock.now(), { note })
    await hub.policy.clearAllowList(by, toSubject(row.group_id))
  }

  function noteOf(
    by: Principal,
    { tenant_id, group_id }: GroupRow,
    happened: Pick<Parameters<typeof hub.note>[1], 'action' | 'before' | 'after'>,
  ) {
    return hub.note(by, { tenant_id, kind: 'tool_group', target: group_id, ...happened })
  }

  async function write(by: Principal, row: GroupRow, fields: Fields): Promise<void> {
    if (Object.keys(fields).length === 0) return
    const action = fields.enabled === undefined ? 'changed' : toSwitched(fields.enabled)
    const before = Object.keys(fields).map((name) => [name, row[name as keyof Fields]])
    const noted = { before: toNoted(Object.fromEntries(before)), after: toNoted(fields) }
    const note = noteOf(by, row, { action, ...noted })
    await writer.update(row, { ...fields, updated_at: clock.now() }, { note })
  }

  return {
    async create(by, group) {
      assertAdministrator(by)
      if (group.group_id !== undefined) checkGroupId(group.group_id)
      const { row, key } =
        group.group_id === undefined
          ? await insertUnderFreeId(by, group)
          : await insert(by, group, group.group_id)
      try {
        await finish(by, row, group)
      } catch (error) {
        await drop(by, row).catch(onError)
        throw error
      }
      return { group: view(row.group_id), key }
    },

    async update(by, group_id, change) {
      const row = ownOf(by, group_id)
      const fields = toFields(change, clock.now())
      if (change.tools === undefined) {
        await write(by, row, fields)
        return view(group_id)
      }
      const { taking, giving } = split(fields, row)
      await write(by, row, taking)
      await hub.policy.setAllowList(by, toSubject(group_id), change.tools)
      await write(by, row, giving)
      return view(group_id)
    },

    async remove(by, group_id) {
      const row = ownOf(by, group_id)
      await drop(by, row, noteOf(by, row, { action: 'removed', before: toNoted(row) }))
    },
  }
}

const newFields = {
  ...noPrevious,
  ...{ description: '', open_to_users: 0, shown_once: 0, key_number: 1 },
  ...{ key_revoked_at: null, pinned_names: '{}' },
}

const toSwitched = (enabled: number) => (enabled === 1 ? 'enabled' : 'disabled')

/** What takes rights away, and the rest. */
function split(fields: Fields, row: GroupRow): { taking: Fields; giving: Fields } {
  const taking: Fields = {}
  const giving: Fields = { ...fields }
  const take = (name: keyof Fields) => {
    Object.assign(taking, { [name]: fields[name] })
    delete giving[name]
  }
  if (fields.enabled === 0) take('enabled')
  if (fields.open_to_users === 0) take('open_to_users')
  const { key_expires_at: until } = fields
  if (until != null && until < (row.key_expires_at ?? Number.MAX_SAFE_INTEGER)) {
    take('key_expires_at')
  }
  return { taking, giving }
}
