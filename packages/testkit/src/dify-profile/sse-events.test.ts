import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { readSseEvents } from './sse-events.ts'

async function eventsOf(...chunks: string[]) {
  return Array.fromAsync(readSseEvents(Readable.from(chunks.map((chunk) => Buffer.from(chunk)))))
}

test.each([
  ['a message', 'data: a\n\n', [{ event: 'message', data: 'a' }]],
  ['lines of data', 'data: a\ndata:b\n\n', [{ event: 'message', data: 'a\nb' }]],
  ['an event by name', 'event: x\ndata: a\r\n\r\n', [{ event: 'x', data: 'a' }]],
  ['a comment', ': a\n\n', []],
  ['an event without data', 'event: x\n\n', [{ event: 'x', data: '' }]],
  ['an id alone', 'id: 1\n\n', [{ event: 'message', data: '' }]],
  [
    'a comment after an id',
    'id: 1\ndata: a\n\n: b\n\n',
    [
      { event: 'message', data: 'a' },
      { event: 'message', data: '' },
    ],
  ],
  ['what is not ended', 'data: a\n', []],
])('%s', async (_, text, events) => {
  expect(await eventsOf(text)).toEqual(events)
  expect(await eventsOf(...text)).toEqual(events)
})
