import { getEventListeners } from 'node:events'
import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createBatchReader } from './batch-reader.ts'
import type { ApprovalRow } from './contract.ts'
import { aRow } from './test-approvals.ts'
import { createWaiters } from './waiters.ts'

/** Waiters over rows in memory; `away` makes every read fail. */
function makeWaiters(pollMs = 2_000) {
  const clock = createFakeClock({ now: 1_000 })
  const stored = new Map<string, ApprovalRow>()
  const reads: number[] = []
  const state = { away: false }
  const due: string[] = []
  const reader = createBatchReader({
    rows: {
      async getMany(ids) {
        reads.push(ids.length)
        if (state.away) throw new Error('away')
        return ids.flatMap((id) => stored.get(id) ?? [])
      },
    },
    onRow: (row) => waiters.settle(row),
    onMissing: (id) => waiters.fail(id),
  })
  const waiters = createWaiters({
    clock,
    pollMs,
    look: reader.read,
    onDue: ({ approval_id }) => due.push(approval_id),
  })
  const store = (fields: Partial<ApprovalRow> = {}) => {
    const row = aRow(fields)
    stored.set(row.approval_id, row)
    return row
  }
  return { clock, waiters, reader, store, reads, state, due }
}

test('1,000 waits share one timer and one read, and leave nothing behind', async () => {
  const { clock, waiters, reader, store, reads } = makeWaiters()
  const rows = Array.from({ length: 1_000 }, () => store())
  const { signal } = new AbortController()
  const waits = rows.map(({ approval_id }) => waiters.wait('t1', approval_id, signal))
  expect(clock.pending()).toBe(1)
  await reader.idle()
  await clock.advanceAsync(2_000)
  expect(reads).toEqual([1_000, 1_000])
  expect(clock.pending()).toBe(1)
  for (const row of rows) waiters.settle({ ...row, status: 'decided', decision: 'approve' })
  expect(await Promise.all(waits)).toHaveLength(1_000)
  expect(clock.pending()).toBe(0)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('1,000 waits that are given up reject at once with the reason and leave nothing', async () => {
  const { clock, waiters, store, state } = makeWaiters()
  state.away = true
  const stop = new AbortController()
  const waits = Array.from({ length: 1_000 }, () =>
    waiters.wait('t1', store().approval_id, stop.signal),
  )
  const reason = new Error('the run was cancelled')
  stop.abort(reason)
  const ends = await Promise.allSettled(waits)
  expect(ends.every((end) => end.status === 'rejected' && end.reason === reason)).toBe(true)
  expect(clock.pending()).toBe(0)
  expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0)
  await expect(waiters.wait('t1', 'any', stop.signal)).rejects.toBe(reason)
})

test('a wait is told of expiry at its very time, not at the next look', async () => {
  const { clock, waiters, reader, store, due } = makeWaiters()
  const row = store({ expires_at: 1_700 })
  const wait = waiters.wait('t1', row.approval_id)
  await reader.idle()
  await clock.advanceAsync(699)
  expect(due).toEqual([])
  await clock.advanceAsync(1)
  expect(due).toEqual([row.approval_id])
  waiters.settle({ ...row, status: 'decided', via: 'expiry' })
  expect(await wait).toMatchObject({ via: 'expiry' })
})

test('while the database is away a wait goes on, looking at its usual pace', async () => {
  const { clock, waiters, reader, store, reads, state } = makeWaiters()
  const row = store({ expires_at: 3_000 })
  const wait = waiters.wait('t1', row.approval_id)
  await reader.idle()
  state.away = true
  await clock.advanceAsync(20_000)
  expect(reads.length).toBeLessThanOrEqual(13)
  state.away = false
  row.status = 'decided'
  await clock.advanceAsync(2_000)
  expect(await wait).toBe(row)
})

test('an approval that does not exist, or is another tenant’s, is not_found', async () => {
  const { clock, waiters, store } = makeWaiters()
  const { approval_id } = store()
  await expect(waiters.wait('t1', 'none')).rejects.toMatchObject({ code: 'not_found' })
  const own = waiters.wait('t1', approval_id)
  await expect(waiters.wait('t2', approval_id)).rejects.toMatchObject({ code: 'not_found' })
  waiters.close()
  await expect(own).rejects.toMatchObject({ code: 'unavailable' })
  await expect(waiters.wait('t1', approval_id)).rejects.toMatchObject({ code: 'unavailable' })
  expect(clock.pending()).toBe(0)
})
