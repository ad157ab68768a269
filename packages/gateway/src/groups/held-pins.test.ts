import { expect, test } from 'vitest'
import type { GroupRow } from '../ports.ts'
import { createHeldPins } from './held-pins.ts'

const aRow = (group_id: string) => ({ group_id, pinned_names: '{}' }) as GroupRow

test('of groups that come and go few are held [F32]', () => {
  const rows = new Map([['stays', aRow('stays')]])
  const held = createHeldPins({ get: (group_id) => rows.get(group_id) })
  const first = held.of(aRow('stays'))
  for (let made = 0; made < 10_000; made += 1) {
    const row = aRow(`group-${made}`)
    rows.set(row.group_id, row)
    held.of(row)
    rows.delete(row.group_id)
  }
  expect(held.size).toBeLessThanOrEqual(200)
  expect(held.of(aRow('stays'))).toBe(first)
})
