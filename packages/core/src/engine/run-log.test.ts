import { createFakeClock, longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemorySessionStore, type SessionLog } from '../session/index.ts'
import { loadConversation } from './load-conversation.ts'
import { createRunLog, type RunEvent } from './run-log.ts'

const session_id = 'session-1'

/** A log whose appends end when the test says so, and what is sent of a run that writes to it. */
async function createScene() {
  const { sessions, events } = createMemorySessionStore()
  await sessions.create({
    ...{ session_id, tenant_id: 'acme', user_id: 'ada', assistant_id: 'helper', metadata: {} },
    ...{ created_at: 1, last_active: 1 },
    state: { thread_id: session_id, auto_approve: false, status: 'idle' },
  })
  const held: (() => void)[] = []
  let head = 0
  const log: SessionLog = {
    ...events,
    async append(...asked) {
      await new Promise<void>((resolve) => held.push(resolve))
      const seq = await events.append(...asked)
      head = await events.head(session_id)
      return seq
    },
  }
  const clock = createFakeClock()
  const sent: { event: RunEvent; ahead: number }[] = []
  const run = createRunLog({
    ...{ log, session_id, run_id: 'run-1', clock, lost: new AbortController().signal },
    conversation: await loadConversation(events, session_id),
    send: (event) => sent.push({ event, ahead: event.seq - head }),
  })
  /** Lets the append that is under way end, and the next begin. */
  const settle = async () => {
    held.shift()?.()
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  }
  const said = () =>
    sent.map(({ event }) => (event.event_type === 'text' ? event.content : '')).join('')
  return { run, clock, sent, said, settle, held, events }
}

test('text waits for the row before it to be durable', async () => {
  const { run, clock, said, settle, held } = await createScene()
  run.text('One ')
  run.text('two ')
  expect(said()).toBe('One two ')
  clock.advance(250)
  run.text('three ')
  run.text('four.')
  await settle()
  expect([said(), held.length]).toEqual(['One two ', 1])
  await settle()
  expect([said(), held.length]).toEqual(['One two three four.', 0])
})

const step = fc.oneof(
  fc.record({ kind: fc.constant('text' as const), content: fc.string({ minLength: 1 }) }),
  fc
    .constantFrom(...(['time', 'settle', 'note', 'end', 'restart'] as const))
    .map((kind) => ({ kind })),
)

const runs = longCount(200, 10_000)

test(`whatever comes when, in ${runs} runs, readers are one row ahead at most and get what the log holds [F21]`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { run, clock, sent, settle, held, events } = await createScene()
      for (const one of steps) {
        if (one.kind === 'text') run.text((one as { content: string }).content)
        if (one.kind === 'time') clock.advance(250)
        if (one.kind === 'settle') await settle()
        if (one.kind === 'end') run.endText()
        if (one.kind === 'restart') run.restartText()
        if (one.kind === 'note')
          run.note({ event_type: 'session_state', timestamp: 1, status: 'running' })
      }
      // Nothing more is said: all is written all the same.
      do {
        clock.advance(250)
        await settle()
      } while (held.length > 0)
      expect(sent.filter(({ ahead }) => ahead > 1)).toEqual([])
      const rows = await events.read(session_id, { after: 0, limit: 100 })
      const logged = rows.map(({ json }) => JSON.parse(json) as RunEvent)
      expect(bySeq(sent.map(({ event }) => event))).toEqual(bySeq(logged))
    }),
    { numRuns: runs },
  )
}, 600_000)

/** What a reader makes of events: each row, its text put together, in the order it came. */
function bySeq(events: readonly RunEvent[]) {
  const rows = new Map<number, { seq: number; kind: string; text: string; flags: string }>()
  for (const event of events) {
    const { seq, event_type: kind } = event
    const row = rows.get(seq) ?? { seq, kind, text: '', flags: '' }
    if (event.event_type === 'text') {
      row.text += event.content
      if (event.restarts) row.flags += 'restarts '
      if (event.is_final) row.flags += 'final'
    }
    rows.set(seq, row)
  }
  return [...rows.values()]
}
