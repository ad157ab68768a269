import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyString } from '../test-arbitraries.ts'
import {
  type Logged,
  parseLoggedEvent,
  parseSentEvent,
  restAfter,
  resumeStart,
  type SentEvent,
  type TextEvent,
  toResumePoint,
} from './index.ts'

const place = { session_id: 's1', timestamp: 1 }
const text = (seq: number, content: string, is_final = false): Logged<TextEvent> => ({
  ...place,
  seq,
  event_type: 'text',
  content,
  is_final,
})
const done: Logged = { ...place, seq: 9, event_type: 'done', cancelled: false }

test('a client at the start lacks everything', () => {
  expect(restAfter(text(1, 'hello'), resumeStart)).toEqual(text(1, 'hello'))
})

test('of a text it has in part, a client gets the rest', () => {
  const point = toResumePoint({ ...text(4, 'lo'), offset: 3 })
  expect(point).toEqual({ seq: 4, offset: 5 })
  expect(restAfter(text(4, 'hello world', true), point)).toEqual({
    ...text(4, ' world', true),
    offset: 5,
  })
})

test('of a text it has whole, a client gets the end mark again', () => {
  const rest = restAfter(text(4, 'hello', true), { seq: 4, offset: 5 })
  expect(rest).toEqual({ ...text(4, '', true), offset: 5 })
})

test('an event that is no text comes once', () => {
  expect(restAfter(done, toResumePoint(done))).toBeUndefined()
  expect(restAfter(text(8, 'old'), toResumePoint(done))).toBeUndefined()
  expect(restAfter(done, toResumePoint(text(8, 'old')))).toBe(done)
})

test('what took the place of a text that was sent and never logged comes whole', () => {
  const point = { seq: 9, offset: 4 }
  expect(restAfter(done, point)).toBe(done)
  const anew: Logged<TextEvent> = { ...text(9, 'anew'), restarts: true }
  expect(restAfter(anew, point)).toBe(anew)
  const delta = { ...anew, offset: 0, content: 'an' }
  expect(restAfter(delta, point)).toBe(delta)
})

test('a stream cut anywhere and resumed gives every text and event once', () => {
  const row = fc.array(anyString, { maxLength: 4 })
  const exact = fc.property(fc.array(row, { maxLength: 5 }), fc.nat(), (rows, cut) => {
    const log = rows.map((parts, i) => text(i + 1, parts.join(''), true))
    const sent = rows.flatMap((parts, i) => toDeltas(i + 1, parts))
    const seen = sent.slice(0, cut % (sent.length + 1))
    const last = seen.at(-1)
    const point = last ? toResumePoint(last) : resumeStart
    const replayed = log.map((event) => restAfter(event, point)).filter((e) => e !== undefined)
    return join([...seen, ...replayed]) === join(log)
  })
  fc.assert(exact, { numRuns: longCount(500, 50_000) })
})

test('a row of the log has a session and a seq, and a delta an offset from 0', () => {
  const { seq: _, ...unplaced } = done
  expect(() => parseLoggedEvent(unplaced)).toThrow('seq: expected number, got nothing')
  expect(() => parseLoggedEvent({ ...done, seq: 0 })).toThrow('seq')
  expect(() => parseSentEvent({ ...text(1, 'a'), offset: -1 })).toThrow('offset')
  expect(parseSentEvent({ ...text(1, 'a'), offset: 2 })).toEqual({ ...text(1, 'a'), offset: 2 })
})

/** The deltas of one text, the last of them with the end mark. */
function toDeltas(seq: number, parts: string[]): SentEvent[] {
  let offset = 0
  return [...parts, ''].map((content, index) => {
    const delta = { ...text(seq, content, index === parts.length), offset }
    offset += content.length
    return delta
  })
}

/** What a reader sees: each text at its place, joined by seq. */
function join(events: SentEvent[]): string {
  const texts = new Map<number, string>()
  for (const event of events as (Logged<TextEvent> & { offset?: number })[]) {
    const before = texts.get(event.seq) ?? ''
    if (before.length !== (event.offset ?? 0)) return `gap or repetition at ${event.seq}`
    texts.set(event.seq, before + event.content)
  }
  return JSON.stringify([...texts])
}
