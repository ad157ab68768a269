import { type Clock, systemClock } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import {
  createDatabase,
  type FaultProxy,
  findService,
  longCount,
  startFaultProxy,
} from '@dataagent/testkit'
import { expect, test } from 'vitest'
import {
  collect,
  countingTool,
  loadConversation,
  of,
  person,
  startEngine,
  type TestEngine,
  textOf,
} from '../engine/test-engine.ts'
import { createFailingLog } from './test-failing-log.ts'
import { follow } from './test-follow.ts'
import { callsOnce } from './test-words.ts'

/** The log is waited for in seconds. */
const hasty: Clock = { ...systemClock, after: (ms, run) => systemClock.after(ms / 20, run) }
const away = new AppError('store_unavailable', 'The database is away.')
const kinds = ['user_message', 'tool_call', 'tool_started', 'tool_result', 'done'] as const

test.each(kinds)(
  'a log that is away for a moment at %s loses nothing [D11.3] [F14]',
  async (kind) => {
    for (const isStored of [false, true]) {
      await using scene = await startScene()
      scene.log.failAt(kind, { error: away, times: 2, isStored })
      const events = await scene.say()
      // Whether the message was taken is not known: its sender repeats it.
      if (kind === 'user_message') {
        expect(events).toMatchObject([{ event_type: 'error', recoverable: true }])
        continue
      }
      expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
      expect(scene.tool.runs).toHaveLength(1)
      const rows = await scene.engine.sql.events.read(scene.engine.session_id, {
        ...{ after: 0, limit: 100 },
      })
      expect(rows.filter((row) => row.kind === kind)).toHaveLength(1)
    }
  },
)

test.each(kinds)(
  'a log that stays away from %s on ends the run with an error, and the session can go on [D5.3] [D11.1] [F21]',
  async (kind) => {
    await using scene = await startScene()
    scene.log.failAt(kind, { error: away, times: 5 })
    const events = await scene.say()
    expect(events.at(-1)).toMatchObject({
      ...{ event_type: 'error', recoverable: true, error_code: 'store_unavailable' },
    })
    expect(scene.tool.runs.length).toBe(kind === 'tool_result' || kind === 'done' ? 1 : 0)
    scene.log.failAt(kind, { error: away, times: 0 })
    const next = await scene.say('And now?')
    expect(next.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
    await expectFoldsAlike(scene.engine)
  },
)

test('a log that fails in an unexpected way ends the run with an error and a number [D11.1]', async () => {
  await using scene = await startScene()
  scene.log.failAt('tool_started', { error: new TypeError('secret detail'), times: 1 })
  const events = await scene.say()
  expect(events.at(-1)).toMatchObject({ event_type: 'error', error_code: 'internal' })
  expect(JSON.stringify(events)).not.toContain('secret detail')
  expect(scene.tool.runs).toEqual([])
  expect((await scene.say('And now?')).at(-1)).toMatchObject({ event_type: 'done' })
})

test('a session that is deleted in mid-run ends it with an error, and no tool starts [D11.4]', async () => {
  const asked = countingTool('send', { approval: 'ask' })
  await using engine = await startEngine({ tools: [asked], script: callsOnce(['send']) })
  const { executor, session_id, sql, hub } = engine
  const approvals = { kind: 'inbox' } as const
  const run = follow(executor.execute('Go', session_id, { principal: person, approvals }))
  const [request] = await run.until('hitl_request')
  await sql.sessions.delete(person.tenant_id, session_id)
  await hub.approvals.decide(person, request!.approval_id, { type: 'approve', message: '' })
  const events = await run.ended
  expect(events.at(-1)).toMatchObject({ event_type: 'error', recoverable: false })
  expect(asked.runs).toEqual([])
  const again = await engine.say('And now?')
  expect(again).toMatchObject([{ event_type: 'error', recoverable: false }])
})

const rounds = longCount(1, 100)
const hasMariadb = (await findService('mysql')) !== undefined

test.runIf(hasMariadb)(
  `a MariaDB that is gone in mid-run is an error, and when it is back the run goes on, in ${rounds} of ${rounds} rounds [D11.3] [F14, F18]`,
  async () => {
    await using database = await createDatabase('mysql')
    await using proxy = await startFaultProxy({ target: database.url })
    for (let round = 0; round < rounds; round += 1) await loseInMidRun(proxy)
  },
  60_000 + rounds * 10_000,
)

async function loseInMidRun(proxy: FaultProxy): Promise<void> {
  const gate = Promise.withResolvers<string>()
  const tool = countingTool('slow', { run: () => gate.promise })
  await using engine = await startEngine({
    ...{ url: proxy.url, tools: [tool], script: callsOnce(['slow']) },
  })
  const { executor, session_id } = engine
  const run = follow(executor.execute('Go', session_id, { principal: person }))
  await run.until('tool_started')
  await proxy.set({ kind: 'refuse' })
  gate.resolve('ready')
  const events = await run.ended
  expect(events.at(-1)).toMatchObject({ event_type: 'error', error_code: 'store_unavailable' })
  await proxy.set({ kind: 'pass' })
  const again = await collect(executor.resume(session_id, { principal: person }))
  expect(of(again, 'tool_result')).toMatchObject([{ outcome: 'unknown_outcome' }])
  expect(textOf(again)).toBe('All done.')
  expect(tool.runs).toHaveLength(1)
  await expectFoldsAlike(engine)
}

async function startScene() {
  const tool = countingTool('quick')
  const engine = await startEngine({ tools: [tool], script: callsOnce(['quick']) })
  const log = createFailingLog(engine.sql.events)
  const executor = engine.createExecutor({ log, clock: hasty })
  return {
    ...{ engine, log, tool },
    say: (input = 'Go') =>
      collect(executor.execute(input, engine.session_id, { principal: person })),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  }
}

/** What another process would read of the session: every call is answered, and it is at rest. */
async function expectFoldsAlike({ sql, session_id }: TestEngine): Promise<void> {
  const { openRun, openCalls, head } = await loadConversation(sql.events, session_id)
  expect({ openRun, openCalls }).toEqual({ openRun: undefined, openCalls: [] })
  expect(head).toBe(await sql.events.head(session_id))
}
