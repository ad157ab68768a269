import { createFakeClock, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { admin, everything, startTestHub, tenant_id, toContext } from './test-hub.ts'

const dayMs = 24 * 60 * 60_000

test('a hub removes calls after 90 days by itself, and its audit verifies', async () => {
  const clock = createFakeClock()
  await using place = await startTestHub({ clock, settings: { defaultAllow: everything } })
  const { hub } = place
  const called = await hub.callTool(toContext(), { tool: 'read_result', args: {} })
  expect(called.call_id).toBeDefined()
  await hub.audit.flush()
  const calls = () => hub.audit.query(admin, { limit: 10, offset: 0 })
  expect(await calls()).toHaveLength(1)
  await clock.advanceAsync(120_000)
  await hub.audit.verify(tenant_id)
  clock.jump(91 * dayMs)
  // What is kept for days is looked through every hour.
  const isRemoved = async () => {
    await clock.advanceAsync(30 * 60_000)
    return (await calls()).length === 0
  }
  await waitFor(isRemoved, { timeoutMs: 25_000 })
  expect(await hub.audit.verify(tenant_id)).toMatchObject({ ok: true, rows: 0, writers: 1 })
})
