import { resumeStart, type SentEvent } from '@dataagent/schema'
import { expect, test } from 'vitest'
import { createPosition } from './position.ts'

const place = { session_id: 's1', timestamp: 1 }
const done: SentEvent = { ...place, seq: 1, event_type: 'done', cancelled: false }
const text = (seq: number, content: string, more: object = {}): SentEvent => ({
  ...{ ...place, seq, event_type: 'text', content, is_final: false, ...more },
})

test('what comes twice is old, and what is missing is a gap', () => {
  const position = createPosition(resumeStart)
  const take = (event: SentEvent) => position.take(event).status
  expect(take(done)).toBe('new')
  expect(take(done)).toBe('old')
  expect(take(text(3, 'a'))).toBe('gap')
  expect(take(text(2, 'b', { offset: 1 }))).toBe('gap')
  expect(take(text(2, 'a', { offset: 0 }))).toBe('new')
  expect(take(text(2, 'c', { offset: 2 }))).toBe('gap')
  expect(position.point).toEqual({ seq: 2, offset: 1 })
})

test('of a text that comes again the rest is new, and its end mark once', () => {
  const position = createPosition({ seq: 2, offset: 3 })
  expect(position.take(text(2, 'abc'))).toEqual({ status: 'old' })
  const rest = { status: 'new', event: text(2, 'de', { offset: 3 }) }
  expect(position.take(text(2, 'abcde'))).toEqual(rest)
  const end = text(2, '', { offset: 5, is_final: true })
  expect(position.take(end)).toEqual({ status: 'new', event: end })
  expect(position.take(text(2, 'abcde', { is_final: true }))).toEqual({ status: 'old' })
})

test('what took the place of a text that was never logged is new', () => {
  const after = { seq: 1, offset: 4 }
  expect(createPosition(after).take(done)).toEqual({ status: 'new', event: done })
  const position = createPosition(after)
  const anew = text(1, 'an', { offset: 0, restarts: true })
  expect(position.take(anew)).toEqual({ status: 'new', event: anew })
  expect(position.take(text(1, 'ew', { offset: 2 })).status).toBe('new')
  expect(position.point).toEqual({ seq: 1, offset: 4 })
})
