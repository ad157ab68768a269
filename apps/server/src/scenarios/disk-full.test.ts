import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { SessionsPage } from '@dataagent/schema'
import { lastUserText, mountSmallDisk, type RecordedRequest, waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'

const byMessage = (request: RecordedRequest) =>
  lastUserText(request) === 'Wait' ? { text: 'Late.', ttft: 120_000 } : 'Here I am.'

test('on a full disk writes are refused with 507, reads and cancels go on, and it recovers [F20]', {
  timeout: 60_000,
}, async ({ skip }) => {
  await using disk = await mountSmallDisk({ bytes: 32 * 1024 * 1024 })
  if (!disk) return skip('no disk can be mounted')
  const dir = join(disk.path, 'data')
  {
    await using server = await startTestPlatform({ dir, script: byMessage })
    const { session_id } = (await create(server)).body
    await say(server, session_id, 'Hello')
    const waiting = await create(server)
    const turn = say(server, waiting.body.session_id, 'Wait')
    await waitFor(() => server.platform.runs.running === 1, { what: 'a turn that waits' })

    const filler = join(disk.path, 'filler')
    fillUp(filler)
    const refused = await waitFor(async () => {
      const answer = await create(server)
      return answer.status === 201 ? undefined : answer
    })
    expect(refused).toMatchObject({ status: 507, body: { error_code: 'storage_full' } })
    const listed = await server.ask<SessionsPage>('GET', '/sessions')
    expect(listed.status).toBe(200)
    expect(listed.body.sessions.map((one) => one.session_id)).toContain(session_id)
    expect((await server.ask('GET', '/health', { as: null })).status).toBe(200)
    const cancelled = await server.ask('POST', `/chat/${waiting.body.session_id}/cancel`)
    expect(cancelled.status).toBe(200)
    await waitFor(() => server.platform.runs.running === 0, { what: 'no turn' })
    await turn

    rmSync(filler)
    await waitFor(async () => (await create(server)).status === 201, { what: 'a session' })
    expect((await say(server, session_id, 'And now?')).status).toBe(200)
    const { messages } = (
      await server.ask<{ messages: unknown[] }>('GET', `/sessions/${session_id}/messages`)
    ).body
    expect(messages).toHaveLength(4)
  }
  using db = new DatabaseSync(join(dir, 'dataagent.db'), { readOnly: true })
  expect(db.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
})

function create(server: TestPlatform) {
  return server.ask<{ session_id: string; error_code?: string }>('POST', '/sessions', { json: {} })
}

function say(server: TestPlatform, session_id: string, message: string) {
  return server.ask('POST', '/chat', { json: { session_id, message } })
}

function fillUp(path: string): void {
  writeFileSync(path, '')
  for (const piece of [1_000_000, 10_000, 500]) {
    expect(() => {
      for (;;) appendFileSync(path, 'x'.repeat(piece))
    }).toThrow('ENOSPC')
  }
}
