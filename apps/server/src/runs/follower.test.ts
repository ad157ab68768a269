import { createMemorySessionStore } from '@dataagent/core'
import { systemClock } from '@dataagent/guard'
import { type ResumePoint, type SentEvent, type Session, toResumePoint } from '@dataagent/schema'
import { longCount, waitFor } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Follower } from './contract.ts'
import type { Feed, FeedListener } from './feed.ts'
import { createFollower } from './follower.ts'

const session_id = 'session-1'
const session: Session = {
  ...{ session_id, tenant_id: 'acme', user_id: 'ada', assistant_id: 'default' },
  ...{ created_at: 1, last_active: 1, metadata: {} },
  state: { thread_id: session_id, auto_approve: false, status: 'idle' },
}

/** A session whose text is sent before it is logged, over a feed that may lose what is sent. */
async function createWorld() {
  const { sessions, events: log } = createMemorySessionStore()
  await sessions.create(session)
  const listeners = new Set<FeedListener>()
  const feed: Feed = {
    tell: () => {},
    listen(_, listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  let hasLost = false
  /** As a channel does it: after a loss, what comes next is announced as coming after a gap. */
  const send = (event: SentEvent, isLost: boolean) => {
    if (!isLost && hasLost) gap()
    hasLost = isLost
    if (!isLost) for (const listener of listeners) listener.onEvent(event)
  }
  const append = (event: SentEvent) =>
    log.append(session_id, [{ kind: event.event_type, json: JSON.stringify(event) }])
  const gap = () => {
    for (const listener of listeners) listener.onGap()
  }
  return { log, feed, send, append, gap, listeners }
}

const place = (seq: number) => ({ session_id, seq, run_id: 'run-1', timestamp: 1 })
const textAt = (seq: number, content: string, more = {}) =>
  ({ ...place(seq), event_type: 'text', content, is_final: false, ...more }) as SentEvent
const noteAt = (seq: number) =>
  ({ ...place(seq), event_type: 'session_state', status: 'running' }) as SentEvent

/** What a reader makes of events: the text of each seq, and the other events by seq. */
function render(events: readonly SentEvent[]): string[] {
  const bySeq = new Map<number, string>()
  for (const event of events) {
    const { seq, event_type } = event
    const said = event_type === 'text' ? (event as { content: string }).content : event_type
    bySeq.set(seq, (bySeq.get(seq) ?? '') + said)
  }
  return [...bySeq].map(([seq, said]) => `${seq}:${said}`)
}

/**
 * One step of a run: a note, or text in pieces, each of which may be lost on its way. Before each
 * the reader may go, come back, or read the log to its end.
 */
const reader = fc.constantFrom('stays', 'stays', 'goes', 'comes', 'reads')
const step = fc.oneof(
  fc.record({ kind: fc.constant('note' as const), reader, isLost: fc.boolean() }),
  fc.record({
    kind: fc.constant('text' as const),
    pieces: fc.array(
      fc.record({ content: fc.string({ minLength: 1 }), reader, isLost: fc.boolean() }),
      { minLength: 1, maxLength: 5 },
    ),
    /** What the reader does between the last piece and its row in the log. */
    reader,
  }),
)

const runs = longCount(60, 10_000)

test(`whatever is lost or cut, in ${runs} runs, a reader gets every event once and in order [D17.4] [F25]`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), fc.boolean(), async (steps, isReminded) => {
      const world = await createWorld()
      const received: SentEvent[] = []
      let point: ResumePoint = { seq: 0, offset: 0 }
      const follow = () =>
        createFollower({
          ...{ session_id, after: point, log: world.log, feed: world.feed, clock: systemClock },
          onEvent(event) {
            received.push(event)
            point = toResumePoint(event)
          },
        })
      let follower: Follower | undefined = follow()
      const act = async (what: string) => {
        if (what === 'goes') follower = void follower?.close()
        if (what === 'comes' || what === 'reads') follower ??= follow()
        if (what === 'reads') await follower?.caughtUp()
      }
      for (const [index, one] of steps.entries()) {
        const seq = index + 1
        if (one.kind === 'note') {
          await world.append(noteAt(seq))
          await act(one.reader)
          world.send(noteAt(seq), one.isLost)
        } else {
          let offset = 0
          for (const { content, isLost, reader } of one.pieces) {
            await act(reader)
            world.send(textAt(seq, content, { offset }), isLost)
            offset += content.length
          }
          await act(one.reader)
          await world.append(textAt(seq, one.pieces.map(({ content }) => content).join('')))
        }
      }
      const end = steps.length + 1
      await world.append(noteAt(end))
      await act('comes')
      // Where it has all but what is on its way to the log, nothing more comes to remind it.
      if (isReminded) world.send(noteAt(end), false)
      await waitFor(() => point.seq >= end, { timeoutMs: 10_000, what: 'all events' })
      follower?.close()
      const rows = await world.log.read(session_id, { after: 0, limit: 100 })
      expect(render(received)).toEqual(render(rows.map(({ json }) => JSON.parse(json))))
      expect(world.listeners.size).toBe(0)
    }),
    { numRuns: runs },
  )
}, 3_600_000)

test('text that took the place of unlogged text comes whole, once', async () => {
  const world = await createWorld()
  const received: SentEvent[] = []
  const follower = createFollower({
    ...{ session_id, log: world.log, feed: world.feed, clock: systemClock },
    after: { seq: 1, offset: 5 },
    onEvent: (event) => received.push(event),
  })
  await world.append(textAt(1, 'Anew.', { restarts: true }))
  await follower.caughtUp()
  world.gap()
  await follower.caughtUp()
  expect(received).toMatchObject([{ seq: 1, content: 'Anew.', restarts: true }])
})

test('nothing of a text that died with its process is added to the one in its place [F17] [F25]', async () => {
  const world = await createWorld()
  await world.append(noteAt(1))
  const received: SentEvent[] = []
  const follower = createFollower({
    ...{ session_id, log: world.log, feed: world.feed, clock: systemClock },
    after: { seq: 0, offset: 0 },
    onEvent: (event) => received.push(event),
  })
  await follower.caughtUp()
  // What came before it was missed, and is never logged.
  world.send(textAt(2, 'time', { offset: 4 }), false)
  await world.append(textAt(2, 'Other', { restarts: true }))
  await follower.caughtUp()
  world.send(textAt(2, 'upon', { offset: 2 }), false)
  await world.append(noteAt(3))
  world.send(noteAt(3), false)
  await waitFor(() => received.at(-1)?.seq === 3, { what: 'the last event' })
  follower.close()
  expect(render(received)).toEqual(['1:session_state', '2:Other', '3:session_state'])
})

test('a log that is away is read when it is back', async () => {
  const world = await createWorld()
  const faults: unknown[] = []
  const received: SentEvent[] = []
  let isAway = true
  const log = {
    ...world.log,
    read: (...asked: Parameters<typeof world.log.read>) =>
      isAway ? Promise.reject(new Error('away')) : world.log.read(...asked),
  }
  const follower = createFollower({
    ...{ session_id, log, feed: world.feed, clock: systemClock, after: { seq: 0, offset: 0 } },
    onEvent: (event) => received.push(event),
    onFault: (error) => faults.push(error),
  })
  const begun = performance.now()
  await waitFor(() => faults.length > 0)
  // However much comes meanwhile, it is not asked more often.
  for (let piece = 0; piece < 30; piece += 1) {
    world.send(textAt(2, 'x', { offset: piece }), false)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  const seconds = (performance.now() - begun) / 1_000
  expect(faults.length).toBeLessThanOrEqual(2 + seconds)
  await world.append(noteAt(1))
  isAway = false
  await waitFor(() => received.length === 31, { timeoutMs: 10_000 })
  expect(received[0]).toMatchObject({ seq: 1 })
  follower.close()
})
