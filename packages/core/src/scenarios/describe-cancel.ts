import { describeSql } from '@dataagent/store/sql/describe-sql'
import { waitFor } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import {
  collect,
  countingTool,
  type ExecutorMaker,
  of,
  person,
  startEngine,
  textOf,
} from '../engine/test-engine.ts'
import { follow } from './test-follow.ts'
import { callsOnce } from './test-words.ts'

/** What a cancel may take; of several the fastest is looked at, as a loaded machine only adds. */
export const withinMs = 1_000
const rounds = 5

type SqlKinds = Parameters<typeof describeSql>[2]

/** Cancels of runs, whoever works on them. */
export async function describeCancel(maker?: ExecutorMaker, kinds?: SqlKinds): Promise<void> {
  await describeSql(
    'a run that is cancelled',
    (subject) => {
      const start = (options: Parameters<typeof startEngine>[0]) =>
        startEngine({ url: subject().url, maker, ...options })

      test('in the text: the socket is closed, done within a second, the next turn works [D24.2] [D24.3] [D24.5]', async () => {
        await using engine = await start({ model: 'standin-itl50-len500' })
        const { ms, events } = await cancelOften(engine, (run) => run.until('text', 2))
        expect(ms).toBeLessThan(withinMs)
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
        await waitFor(() =>
          engine.standIn.requests.every(({ outcome }) => outcome === 'disconnected'),
        )
        await waitFor(() => engine.standIn.active() === 0)
        await expectGoesOn(engine)
        expect(engine.standIn.requests.at(-1)?.turns.at(-2)?.text).toBe(textOf(events))
      })

      test('before the model has said a word [D24.5]', async () => {
        await using engine = await start({ model: 'standin-ttft30000' })
        const { ms, events } = await cancelOften(engine, () =>
          waitFor(() => engine.standIn.active() === 1),
        )
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
        const { ms, events } = await cancelOften(engine, (_, round) =>
          waitFor(() => tool.runs.length === round),
        )
        expect(ms).toBeLessThan(withinMs)
        expect(of(events, 'tool_result')).toMatchObject([{ outcome: 'cancelled' }])
        expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: true })
        await expectGoesOn(engine)
      })

      test('in a tool that ignores the signal, and what it gives later is nowhere [D24.5]', async () => {
        const gate = Promise.withResolvers<string>()
        const tool = countingTool('deaf', { run: () => gate.promise })
        await using engine = await start({ tools: [tool], script: callsOnce(['deaf']) })
        const { ms, events } = await cancelOften(engine, (_, round) =>
          waitFor(() => tool.runs.length === round),
        )
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
        const { ms, events } = await cancelOften(engine, (run) => run.until('hitl_request'))
        const [asked] = of(events, 'hitl_request')
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
    },
    kinds,
  )
}

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

/** Cancels several runs, each where `reach` has brought it; gives the last, and the least time. */
export async function cancelOften(
  engine: Engine,
  reach: (run: ReturnType<typeof begin>, round: number) => Promise<unknown>,
) {
  const times: number[] = []
  let events: Awaited<ReturnType<typeof begin>['ended']> = []
  for (let round = 1; round <= rounds; round += 1) {
    const run = begin(engine)
    await reach(run, round)
    const cancelled = await run.cancel()
    times.push(cancelled.ms)
    events = cancelled.events
  }
  return { ms: Math.min(...times), events }
}

/** The session takes another message, and answers it. */
export async function expectGoesOn({ executor, session_id, standIn }: Engine): Promise<void> {
  standIn.script([{ text: 'Still here.', ttft: 0, itl: 0 }])
  const events = await collect(executor.execute('And now?', session_id, { principal: person }))
  expect(textOf(events)).toBe('Still here.')
  expect(events.at(-1)).toMatchObject({ event_type: 'done', cancelled: false })
}
