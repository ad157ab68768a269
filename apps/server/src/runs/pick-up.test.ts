import { AppError, type EventsPage } from '@dataagent/schema'
import {
  createFakeClock,
  type HostileHttp,
  type Script,
  startHostileHttp,
  temporaryDirectory,
  toolRounds,
  waitFor,
} from '@dataagent/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunRow } from '../ports/index.ts'
import { people, startTestPlatform, type TestPlatform } from '../testing/test-platform.ts'
import { createPickUp, type PickUpOptions } from './pick-up.ts'
import type { RunLogEntry } from './settling.ts'

const config = { allowed_addresses: ['127.0.0.1'], shutdown_grace: 0 }
const late: Script = () => ({ text: 'Late.', ttft: 60_000 })
const notes = '/users/ada/mcp-servers/notes'

/** The first that the model is asked, it calls a tool of the user's server. */
const echoesOnce: Script = (request) => {
  const tool = request.tools.find(({ name }) => /^notes.*--echo$/.test(name))
  if (!tool || toolRounds(request) > 0) return { text: 'Here.' }
  return { toolCalls: [{ name: tool.name, arguments: { message: 'hello' } }] }
}

const callsAt = (server: HostileHttp) =>
  server.notes('received').filter((method) => method === 'tools/call').length

let old: HostileHttp
let changed: HostileHttp
beforeAll(async () => {
  old = await startHostileHttp('none')
  changed = await startHostileHttp('none')
})
afterAll(async () => {
  for (const one of [old, changed]) await one[Symbol.asyncDispose]()
})

test('a run that is picked up goes on with the servers that its session began with [D30.6]', async () => {
  await using directory = await temporaryDirectory()
  const dir = directory.path
  const session_id = await leaveRun(dir)
  await using second = await startTestPlatform({ dir, config, script: echoesOnce })
  await waitFor(async () => (await lastOf(second, session_id))?.event_type === 'done', {
    ...{ timeoutMs: 30_000, what: 'the end of the run' },
  })
  expect([callsAt(old), callsAt(changed)]).toEqual([1, 0])
})

test('a cancel ends a run that is being picked up and waits for a server [D24.4]', async () => {
  await using directory = await temporaryDirectory()
  const dir = directory.path
  const session_id = await leaveRun(dir)
  const before = old.notes('connection').length
  await old.set('half_open')
  await using second = await startTestPlatform({ dir, config, script: () => 'Here.' })
  await waitFor(() => old.notes('connection').length > before, { timeoutMs: 30_000 })
  const { body } = await second.ask('POST', `/chat/${session_id}/cancel`)
  expect(body).toMatchObject({ cancelled: true })
  expect(await lastOf(second, session_id)).toMatchObject({ event_type: 'done', cancelled: true })
  expect(second.model.requests).toEqual([])
})

test('a server beside another on one database lets the runs of that one be, as long as it lives', async () => {
  const held = Promise.withResolvers<void>()
  const script: Script = async () => {
    await held.promise
    return 'Here.'
  }
  await using first = await startTestPlatform({ config, script })
  const begun = await begin(first)
  await using second = await startTestPlatform({ dir: first.dir, config, script: () => 'There.' })
  // By then it has looked for runs that were left.
  await (await begin(second)).ended
  const cancelled = await second.ask('POST', `/chat/${begun.session_id}/cancel`)
  held.resolve()
  await begun.ended
  expect(cancelled.status).toBe(200)
  expect(await lastOf(first, begun.session_id)).toMatchObject({ cancelled: false })
  expect(second.model.requests).toHaveLength(1)
})

test('an outage is told once when it begins and once when it is over [D22.1]', async () => {
  const clock = createFakeClock()
  const lines: RunLogEntry[] = []
  let isAway = true
  const kv = {
    async acquireLease() {
      if (isAway) throw new AppError('store_unavailable', 'away')
    },
  }
  const onLog = (entry: RunLogEntry) => void lines.push(entry)
  const pickUp = createPickUp({ kv, clock, owner: 'me', onLog } as unknown as PickUpOptions)
  pickUp.start()
  await clock.advanceAsync(10_000)
  expect(lines).toMatchObject([{ level: 'error', message: expect.stringContaining('looked for') }])
  isAway = false
  await clock.advanceAsync(10_000)
  expect(lines.slice(1)).toMatchObject([
    { level: 'info', message: expect.stringContaining('12 s') },
  ])
  isAway = true
  await clock.advanceAsync(10_000)
  expect(lines).toHaveLength(3)
  pickUp.stop()
})

test('a run that was left is found behind any number that wait for people [F27]', async () => {
  const clock = createFakeClock()
  const rowOf = (run_id: string, owner: string) => ({ run_id, owner, session_id: run_id }) as RunRow
  const waiting = Array.from({ length: 2_500 }, (_, n) => rowOf(`waits-${n}`, 'alive'))
  const open = [...waiting, rowOf('left', 'dead')]
  const ended: string[] = []
  const pickUp = createPickUp({
    ...{ clock, owner: 'me', onLog() {} },
    kv: { acquireLease: async () => ({ lost: new AbortController().signal, async release() {} }) },
    runs: {
      open: async (limit: number) => open.slice(0, limit),
      end: async (run_id: string) => ended.push(run_id),
    },
    signs: { findLeft: async (rows: RunRow[]) => rows.filter(({ owner }) => owner === 'dead') },
    leases: { isHeld: async () => false },
    local: { get: () => undefined },
    sessions: { getSession: () => Promise.reject(new AppError('not_found', 'gone')) },
  } as unknown as PickUpOptions)
  pickUp.start()
  await clock.advanceAsync(1)
  await waitFor(() => ended.length > 0)
  pickUp.stop()
  expect(ended).toEqual(['left'])
})

/** A server stops in the midst of a run, whose user has changed a server in its course. */
async function leaveRun(dir: string): Promise<string> {
  await using first = await startTestPlatform({ dir, config, script: late })
  const json = { name: 'notes', url: old.url }
  await first.ask('POST', '/users/ada/mcp-servers', { json })
  const { ada } = people
  const place = { tenant_id: ada.tenant_id, user_id: ada.user_id }
  const { assistant_id } = first.platform.agents.choose(ada.tenant_id, undefined)
  const { sessions } = first.platform
  const { session_id } = await sessions.getOrCreateSession({ ...place, assistant_id })
  await first.ask('PATCH', `/sessions/${session_id}`, { json: { auto_approve: true } })
  const session = await sessions.getSession(place, session_id)
  await first.platform.runs.start({ principal: ada, session, message: 'Hello', canAsk: false })
  await waitFor(() => first.model.requests.length > 0)
  expect((await first.ask('PUT', notes, { json: { url: changed.url } })).status).toBe(200)
  return session_id
}

async function begin({ platform }: TestPlatform) {
  const { ada } = people
  const { assistant_id } = platform.agents.choose(ada.tenant_id, undefined)
  const session = await platform.sessions.getOrCreateSession({ ...ada, assistant_id })
  const request = { principal: ada, session, message: 'Hello', canAsk: false }
  const { ended } = await platform.runs.start(request)
  return { ended, session_id: session.session_id }
}

async function lastOf(server: TestPlatform, session_id: string) {
  const path = `/sessions/${session_id}/events?limit=200`
  return (await server.ask<EventsPage>('GET', path)).body.events.at(-1)
}
