import type { NewChange, Principal } from '@dataagent/hub'
import { AppError } from '@dataagent/schema'
import type { GroupRow } from '../ports.ts'
import { checkExpiry, checkOverlap } from './check-group.ts'
import type { Groups } from './contract.ts'
import { toKeyId, toKeyState, toPreviousKeyId } from './key-state.ts'
import { noPrevious, toPrevious } from './make-key.ts'
import type { ChangeMeans } from './options.ts'

type KeyChanges = Pick<
  Groups,
  'copyKey' | 'rotateKey' | 'revokeKey' | 'fillKeyHashes' | 'renewKeyHashes'
>

/** The keys of groups: told again, replaced, ended. */
export function createKeyChanges(means: ChangeMeans): KeyChanges {
  const { rows, grants, hub, writer, keys, craft, clock, onError, ownOf, view } = means

  function noteOf(
    by: Principal,
    { tenant_id, group_id }: GroupRow,
    happened: Pick<NewChange, 'action'> & { after: Record<string, unknown> },
  ): NewChange {
    return hub.note(by, { tenant_id, kind: 'tool_group', target: group_id, ...happened })
  }

  /** Grants end with their key in any case: `holds` says so. */
  async function endGrants(row: GroupRow, key_ids: readonly string[], note: NewChange) {
    const { tenant_id, group_id } = row
    for (const key_id of key_ids) {
      await grants.revoke({ tenant_id, group_id, key_id }, note.changed_at)
    }
  }

  /** Whether it could be done. */
  async function hashAnew(row: GroupRow): Promise<boolean> {
    try {
      const fields = craft.hash(await keys.open(row, row.api_key ?? ''))
      await writer.update(row, fields, { ifKeyNumber: row.key_number })
      return true
    } catch (error) {
      onError(error)
      return false
    }
  }

  return {
    async copyKey(by, group_id) {
      const { tenant_id } = ownOf(by, group_id)
      // Asked of the store: what is sealed there may be under a newer master key.
      const row = await rows.get(group_id)
      // Memory may be behind: the id may be another tenant's by now.
      if (row?.tenant_id !== tenant_id) {
        throw new AppError('not_found', `there is no tool group ${group_id}`)
      }
      if (!row.api_key) {
        throw new AppError('forbidden', 'the key of this group was shown once and is not kept')
      }
      const key = await keys.open(row, row.api_key)
      const note = noteOf(by, row, { action: 'copied', after: { key_id: toKeyId(row) } })
      await writer.update(row, {}, { note })
      return key
    },

    async rotateKey(by, group_id, { overlapMs = 0, expires_at } = {}) {
      const row = ownOf(by, group_id)
      const now = clock.now()
      checkOverlap(overlapMs)
      const until = expires_at === undefined ? asLong(row, now) : expires_at
      checkExpiry('expires_at', until, now)
      const made = await keys.make(row, { now, expires_at: until })
      const previous = toPrevious(row, { now, overlapMs })
      const key_number = row.key_number + 1
      const after = { key_id: toKeyId({ group_id, key_number }), expires_at: until, overlapMs }
      const note = noteOf(by, row, { action: 'changed', after })
      const fields = { ...made.fields, ...previous, key_number, key_revoked_at: null }
      const options = { note, ifKeyNumber: row.key_number }
      await writer.update(row, { ...fields, updated_at: now }, options)
      const isOver = previous.previous_hashed_api_key === null
      const ended = [toPreviousKeyId(row), ...(isOver ? [toKeyId(row)] : [])]
      await endGrants(row, ended, note)
      return { group: view(group_id), key: made.key }
    },

    async revokeKey(by, group_id) {
      const row = ownOf(by, group_id)
      const now = clock.now()
      const key_ids = [toKeyId(row), toPreviousKeyId(row)]
      const note = noteOf(by, row, { action: 'revoked', after: { key_id: toKeyId(row) } })
      const revoked = { key_revoked_at: row.key_revoked_at ?? now, api_key: null, updated_at: now }
      const options = { note, ifKeyNumber: row.key_number }
      await writer.update(row, { ...revoked, ...noPrevious }, options)
      await endGrants(row, key_ids, note)
      return view(group_id)
    },

    async fillKeyHashes() {
      let filled = 0
      for (const row of await rows.listUnhashed()) if (await hashAnew(row)) filled += 1
      return filled
    },

    async renewKeyHashes() {
      const { pepper_kid } = craft.hash(craft.createToken())
      const stale = (await rows.load()).filter((row) => isStale(row, toKeyId(row), row.pepper_kid))
      for (const row of stale) if (row.api_key !== null) await hashAnew(row)
      return (await rows.load()).filter(
        (row) =>
          isStale(row, toKeyId(row), row.pepper_kid) ||
          isStale(row, toPreviousKeyId(row), row.previous_pepper_kid),
      ).length

      function isStale(row: GroupRow, key_id: string, kid: string | null): boolean {
        return kid !== pepper_kid && toKeyState(row, key_id, clock.now()) === 'ok'
      }
    },
  }
}

/** As long as the old one was meant to live. */
function asLong({ key_expires_at, key_created_at, created_at }: GroupRow, now: number) {
  return key_expires_at === null ? null : now + key_expires_at - (key_created_at ?? created_at)
}
