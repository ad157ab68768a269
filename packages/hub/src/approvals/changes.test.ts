import { AppError } from '@dataagent/schema'
import { createMemoryKv } from '@dataagent/store/kv'
import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test, vi } from 'vitest'
import { type ChangesOptions, createChanges } from './changes.ts'
import { aRow } from './test-approvals.ts'

const channel = 'hub:approvals'

function makeChanges(options: Partial<ChangesOptions> = {}) {
  const clock = createFakeClock()
  const kv = createMemoryKv({ clock })
  const [hints, gaps] = [[] as string[], { count: 0 }]
  const changes = createChanges({
    kv,
    clock,
    retryMs: 2_000,
    onHint: (approval_id) => hints.push(approval_id),
    onGap: () => gaps.count++,
    ...options,
  })
  return { changes, kv, clock, hints, gaps }
}

test('a hint of another process is followed, one of its own and nonsense are not', async () => {
  const { changes, kv, hints, gaps } = makeChanges()
  changes.start()
  await waitFor(() => gaps.count === 1)
  changes.publish(aRow())
  for (const text of ['', '{', 'null', '[]', '{"approval_id":7}', '"a"']) {
    await kv.publish(channel, text)
  }
  await kv.publish(channel, JSON.stringify({ from: 'another', approval_id: 'a1' }))
  await waitFor(() => hints.length > 0)
  expect(hints).toEqual(['a1'])
  await changes.close()
})

test('what is published names the approval and nothing of it', async () => {
  const { changes, kv } = makeChanges()
  const texts: string[] = []
  await kv.subscribe(channel, (text) => void texts.push(text))
  const row = aRow()
  changes.publish(row)
  await waitFor(() => texts.length > 0)
  expect(JSON.parse(texts[0] ?? '')).toEqual({
    from: expect.any(String),
    approval_id: row.approval_id,
  })
})

test('a handler that fails harms neither the others nor the one who decides', () => {
  const warn = vi.spyOn(process, 'emitWarning').mockReturnValue()
  const { changes } = makeChanges()
  const told: string[] = []
  changes.onChange(() => {
    throw new Error('broken')
  })
  changes.onChange(({ approval_id }) => told.push(approval_id))
  changes.tell(aRow({ approval_id: 'a1' }))
  expect(told).toEqual(['a1'])
  expect(warn).toHaveBeenCalledOnce()
  warn.mockRestore()
})

test('while the KV is away it is tried again, and what was missed is looked at', async () => {
  const away = async () => {
    throw new AppError('store_unavailable', 'away')
  }
  const memory = createMemoryKv()
  const kv = { publish: away, subscribe: away as ChangesOptions['kv']['subscribe'] }
  const { changes, clock, gaps } = makeChanges({ kv })
  changes.publish(aRow())
  changes.start()
  await clock.advanceAsync(5_000)
  expect(gaps.count).toBe(0)
  kv.subscribe = memory.subscribe
  await clock.advanceAsync(2_000)
  expect(gaps.count).toBe(1)
  expect(clock.pending()).toBe(0)
  await changes.close()
})
