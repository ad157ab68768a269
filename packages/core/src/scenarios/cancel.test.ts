import { describeSql } from '@dataagent/store/sql/describe-sql'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { collect, countingTool, of, person, startEngine, textOf } from '../engine/test-engine.ts'
import type { AgentMiddleware } from '../middleware/index.ts'
import { follow } from './test-follow.ts'
import { callsOnce } from './test-words.ts'

/** Of the second that is allowed; the rest is for a loaded machine. */
const withinMs = 5_000

await describeSql('a run that is cancelled', (subject) => {
  const start = (options: Parameters<typeof startEngine>[0]) =>
    startEngine({ url: subject().url, ...options })

  test('in the text: the socket is closed, done within a second, the next turn works [D24.2] [D24.3] [D24.5]', async () => {
    await using engine = await start({ model: 'standin-itl50-len500' })
    const run = begin(engine)
    await run.until('text', 2)
    const { ms, events } = await run.cancel()
    expect(ms).toBeLessThan(withinMs)
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
    await waitFor(() => engine.standIn.requests[0]?.outcome === 'disconnected')
    await waitFor(() => engine.standIn.active() === 0)
    await expectGoesOn(engine)
    expect(engine.standIn.requests[1]?.turns[2]?.text).toBe(textOf(events))
  })

  test('before the model has said a word [D24.5]', async () => {
    await using engine = await start({ model: 'standin-ttft30000' })
    const run = begin(engine)
    await waitFor(() => engine.standIn.requests.length === 1)
    const { ms, events } = await run.cancel()
    expect(ms).toBeLessThan(withinMs)
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
    await waitFor(() => engine.standIn.active() === 0)
    await expectGoesOn(engine)
  })

  test('in a tool that hears the signal [D24.5]', async () => {
    const tool = countingTool('slow', {
      run: (signal) => new Promise((_, reject) => signal.addEventListener('abort', reject)),
    })
    await using engine = await start({ tools: [tool], script: callsOnce(['slow']) })
    const run = begin(engine)
    await waitFor(() => tool.runs.length === 1)
    const { ms, events } = await run.cancel()
    expect(ms).toBeLessThan(withinMs)
    expect(of(events, 'tool_result')).toMatchObject([{ outcome: 'cancelled' }])
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
    await expectGoesOn(engine)
  })

  test('in a tool that ignores the signal, and what it gives later is nowhere [D24.5]', async () => {
    const gate = Promise.withResolvers<string>()
    const tool = countingTool('deaf', { run: () => gate.promise })
    await using engine = await start({ tools: [tool], script: callsOnce(['deaf']) })
    const run = begin(engine)
    await waitFor(() => tool.runs.length === 1)
    const { ms, events } = await run.cancel()
    expect(ms).toBeLessThan(withinMs)
    expect(of(events, 'tool_result')).toMatchObject([{ outcome: 'cancelled' }])
    await expectGoesOn(engine)
    gate.resolve('too late')
    await expectGoesOn(engine)
    const rows = await engine.sql.events.read(engine.session_id, { after: 0, limit: 100 })
    expect(rows.some(({ json }) => json.includes('too late'))).toBe(false)
  })

  test('while one of two tools is through and one is not: both are answered [D24.5]', async () => {
    const quick = countingTool('quick')
    const deaf = countingTool('deaf', { run: () => new Promise(() => {}) })
    await using engine = await start({
      tools: [quick, deaf],
      script: callsOnce(['quick', 'deaf']),
    })
    const run = begin(engine)
    await run.until('tool_result')
    const { events } = await run.cancel()
    expect(of(events, 'tool_result').map(({ outcome }) => outcome)).toEqual(['ok', 'cancelled'])
    await expectGoesOn(engine)
  })

  test('while it waits for an approval: that is withdrawn [D24.5]', async () => {
    const tool = countingTool('send', { approval: 'ask' })
    await using engine = await start({ tools: [tool], script: callsOnce(['send']) })
    const run = begin(engine)
    const [asked] = await run.until('hitl_request')
    const { ms, events } = await run.cancel()
    expect(ms).toBeLessThan(withinMs)
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
    const approval = await engine.hub.approvals.get(person, asked!.approval_id)
    expect(approval).toMatchObject({ status: 'decided', via: 'withdrawal' })
    expect(tool.runs).toEqual([])
    await expectGoesOn(engine)
  })

  test('before it begins: the message is kept and nothing is asked [D24.5]', async () => {
    await using engine = await start({ script: [{ text: 'Still here.' }] })
    const signal = AbortSignal.abort()
    const events = await engine.say('Go', { signal })
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
    expect(engine.standIn.requests).toHaveLength(0)
    expect(textOf(await engine.say('And now?'))).toBe('Still here.')
  })
})

test.each([
  'beforeAgent',
  'beforeModel',
  'wrapModelCall',
  'afterModel',
  'wrapToolCall',
  'afterAgent',
] as const)(
  'in a middleware whose %s never comes back [D24.5]',
  async (hook) => {
    const entered = Promise.withResolvers<void>()
    let isStuck = true
    const stuck = (_: unknown, next: unknown) => {
      if (!isStuck) return typeof next === 'function' ? next(_) : undefined
      entered.resolve()
      return new Promise(() => {})
    }
    const middleware = [{ name: 'stuck', [hook]: stuck } as unknown as AgentMiddleware]
    const tools = [countingTool('quick')]
    await using engine = await startEngine({
      tools,
      agent: { middleware },
      script: callsOnce(['quick']),
    })
    const run = begin(engine)
    await entered.promise
    const { ms, events } = await run.cancel()
    isStuck = false
    expect(ms).toBeLessThan(2.5 * withinMs)
    expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
    await expectGoesOn(engine)
  },
  10_000,
)

type Engine = Awaited<ReturnType<typeof startEngine>>

function begin({ executor, session_id }: Engine) {
  const controller = new AbortController()
  const context = {
    principal: person,
    signal: controller.signal,
    approvals: { kind: 'inbox' } as const,
  }
  const run = follow(executor.execute('Go', session_id, context))
  return {
    ...run,
    /** Milliseconds until the last event. */
    async cancel() {
      const begun = performance.now()
      controller.abort()
      const events = await run.ended
      return { ms: performance.now() - begun, events }
    },
  }
}

async function expectGoesOn({ executor, session_id, standIn }: Engine): Promise<void> {
  standIn.script([{ text: 'Still here.', ttft: 0, itl: 0 }])
  const events = await collect(executor.execute('And now?', session_id, { principal: person }))
  expect(textOf(events)).toBe('Still here.')
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
}
