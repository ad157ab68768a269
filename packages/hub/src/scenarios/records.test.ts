import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startMall } from '@dataagent/example-mall'
import { readJson } from '@dataagent/schema'
import { longCount, waitFor } from '@dataagent/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChildHub } from './test-children.ts'
import { callsOfEveryStatus, type EveryStatus, trace } from './test-every-status.ts'
import { admin, everything, startTestHub, toContext } from './test-hub.ts'
import { addNote, getOrder } from './test-mall-words.ts'
import { openTestStore } from './test-store.ts'

const statuses = [
  'ok',
  'error',
  'timeout',
  'denied',
  'invalid',
  'limited',
  'rejected',
  'unavailable',
  'cancelled',
  'unknown_outcome',
]

describe('calls of every end', () => {
  let calls: EveryStatus
  let rows: Record<string, unknown>[]
  beforeAll(async () => {
    calls = await callsOfEveryStatus()
    await calls.test.hub.audit.flush()
    rows = readTable(calls.test.dir)
  })
  afterAll(() => calls[Symbol.asyncDispose]())

  test('each call has one row, with every field, whatever its end [A5.1] [A5.2] [T62]', () => {
    expect(rows.map(({ status }) => status).toSorted()).toEqual(statuses.toSorted())
    for (const [status, outcome] of calls.outcomes) {
      const row = rows.find(({ call_id }) => call_id === outcome.call_id)
      expect(row, status).toMatchObject({
        tenant_id: 'acme',
        trace_id: trace.trace_id,
        user_id: 'ada',
        session_id: 's1',
        run_id: 'r1',
        agent_id: 'a',
        source: 'agent',
        status,
        duration_ms: outcome.duration_ms,
        decided_by: expect.stringContaining('{'),
        policy_revision: expect.any(Number),
      })
      expect(Number(row?.ended_at) - Number(row?.started_at)).toBeGreaterThanOrEqual(0)
      expect(row?.span_id).toMatch(/^[\da-f]{16}$/)
      const fault = 'error' in outcome ? outcome.error : null
      expect(row?.error === null ? null : readJson(String(row?.error)), status).toEqual(fault)
    }
  })

  test('validation, version, server and attempts are as far as the call came [A5.1]', () => {
    const byStatus = new Map(rows.map((row) => [String(row.status), row]))
    const reached = (status: string) => {
      const { input_validation, output_validation, attempts } = byStatus.get(status) ?? {}
      return [input_validation, output_validation, attempts]
    }
    expect(reached('ok')).toEqual(['ok', 'ok', 1])
    expect(reached('error')).toEqual(['ok', 'not_reached', 1])
    expect(reached('timeout')).toEqual(['ok', 'not_reached', 1])
    expect(reached('denied')).toEqual(['not_reached', 'not_reached', 0])
    expect(reached('invalid')).toEqual(['invalid', 'not_reached', 0])
    expect(reached('limited')).toEqual(['not_reached', 'not_reached', 0])
    expect(reached('rejected')).toEqual(['ok', 'not_reached', 0])
    expect(reached('unavailable')).toEqual(['not_reached', 'not_reached', 0])
    expect(reached('unknown_outcome')).toEqual(['ok', 'not_reached', 1])
    expect(byStatus.get('rejected')?.approval_id).toEqual(expect.any(String))
    for (const [status, row] of byStatus) {
      expect(row, status).toMatchObject({
        server_id: status === 'unavailable' ? 'away' : 'mall',
        schema_version: 1,
        definition_hash: expect.stringMatching(/^[\da-f]{64}$/),
      })
    }
  })
})

describe('a process that is killed in the middle of calls', () => {
  const kills = longCount(1, 50)

  test(
    `leaves one row for each: unknown_outcome, or interrupted if idempotent (${kills} times) [A5.1] [F18]`,
    async () => {
      const delay = { [getOrder.tool]: 600_000, [addNote.tool]: 600_000 }
      await using mall = await startMall({ delay })
      await using store = await openTestStore()
      const ada = { tenant_id: 'acme', user_id: 'ada', role: 'user', agent_id: 'a' } as const
      for (let kill = 1; kill <= kills; kill += 1) {
        await using child = await startChildHub(store.child)
        if (kill === 1) {
          await child.run('register', admin, { name: 'mall', url: mall.url, transport: 'sse' })
        }
        await waitFor(async () => (await child.run('listed', ada)).length > 1, {
          timeoutMs: 15_000,
        })
        await mall.forgetCalls()
        for (const call of [getOrder, addNote, addNote]) await child.run('begin', ada, call)
        await waitFor(async () => (await mall.calls()).length === 3)
        await child.kill()
      }
      const settings = { defaultAllow: everything }
      await using test = await startTestHub({ ...store.options, settings })
      await waitFor(() => readTable(store.dir).length >= 3 * kills)
      await test.hub.audit.flush()
      const rows = readTable(store.dir)
      expect(rows.map(({ tool_name, status }) => `${tool_name} ${status}`).toSorted()).toEqual(
        Array.from({ length: kills }, () => [
          `${addNote.tool} unknown_outcome`,
          `${addNote.tool} unknown_outcome`,
          `${getOrder.tool} interrupted`,
        ])
          .flat()
          .toSorted(),
      )
      expect(new Set(rows.map(({ call_id }) => call_id)).size).toBe(3 * kills)
      expect(await test.hub.audit.verify('acme')).toMatchObject({ ok: true })
      await mall.delay(getOrder.tool, 0)
      await test.offered('mall')
      expect(await test.hub.callTool(toContext(), getOrder)).toMatchObject({ status: 'ok' })
    },
    60_000 + kills * 10_000,
  )
})

/** The rows as they are in the database. */
function readTable(dir: string): Record<string, unknown>[] {
  const database = new DatabaseSync(join(dir, 'hub.db'), { readOnly: true })
  try {
    return database.prepare('select * from mcp_tool_call_log order by started_at').all()
  } finally {
    database.close()
  }
}
