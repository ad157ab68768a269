import { createTurns } from '@dataagent/guard'
import type { Hub } from '@dataagent/hub'
import type { GroupRow, GroupRows, Noted } from '../ports.ts'
import type { Groups } from './contract.ts'
import type { HeldGroups } from './held-groups.ts'

type Fields = Parameters<GroupRows['update']>[2]

/** Stores what changes, and has it in memory when it resolves; then tells of it. */
export interface GroupWriter {
  create(row: GroupRow): Promise<void>
  update(
    group: Pick<GroupRow, 'tenant_id' | 'group_id'>,
    fields: Fields,
    options?: Noted & { ifKeyNumber?: number },
  ): Promise<void>
  delete(row: GroupRow, at: number, options?: Noted): Promise<void>
  pinNames: Groups['pinNames']
  reload(tenant_id?: string): Promise<void>
  onChange: Groups['onChange']
}

/** Groups of one tenant: all are in the memory of every process. */
const groupsMax = 200

export interface GroupWriterOptions {
  rows: GroupRows
  held: HeldGroups
  publish: Hub['revisions']['publish']
}

export function createGroupWriter({ rows, held, publish }: GroupWriterOptions): GroupWriter {
  /** An older state that was read must not replace a newer one. */
  const inTurn = createTurns()
  const handlers = new Set<(tenant_id: string | undefined) => void>()

  function tell(tenant_id: string | undefined): void {
    for (const handler of handlers) handler(tenant_id)
  }

  async function change(tenant_id: string, work: () => Promise<void>): Promise<void> {
    await inTurn(work)
    tell(tenant_id)
    await publish(tenant_id, 'groups')
  }

  return {
    create: (row) =>
      change(row.tenant_id, async () => {
        await rows.create(row, { max: groupsMax })
        held.put(row)
      }),
    update: ({ tenant_id, group_id }, fields, options) =>
      change(tenant_id, async () => {
        await rows.update(tenant_id, group_id, fields, options)
        const known = held.get(group_id)
        if (known) held.put({ ...known, ...fields })
      }),
    delete: ({ tenant_id, group_id }, at, options) =>
      change(tenant_id, async () => {
        await rows.delete(tenant_id, group_id, at, options)
        held.drop(group_id)
      }),
    async pinNames(group_id, names) {
      const { tenant_id } = held.get(group_id) ?? {}
      if (tenant_id === undefined) return
      await change(tenant_id, async () => {
        const pinned_names = JSON.stringify(await rows.pinNames(group_id, names))
        const known = held.get(group_id)
        if (known) held.put({ ...known, pinned_names })
      })
    },
    async reload(tenant_id) {
      await inTurn(async () => held.replace(await rows.load(tenant_id), tenant_id))
      tell(tenant_id)
    },
    onChange(handler) {
      handlers.add(handler)
      return () => void handlers.delete(handler)
    },
  }
}
