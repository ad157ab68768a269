import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EventStreamParser } from './event-stream-parser.ts'

const maxEventBytes = 1_024

/** Everything there is to know of a stream that came in these pieces. */
function read(pieces: (string | Buffer)[], max = maxEventBytes) {
  const parser = new EventStreamParser({ maxEventBytes: max })
  const all = pieces.flatMap((piece) => parser.push(Buffer.from(piece as string)))
  const events = all.flatMap((event) =>
    event.kind === 'event' ? [{ type: event.type, data: event.data.toString() }] : [],
  )
  const oversized = all.flatMap((event) => {
    if (event.kind === 'event') return []
    return [event.kind === 'oversized' ? `${event.head}` : `${event.tail}`]
  })
  const { lastEventId, retryMs, comments } = parser
  return { events, lastEventId, retryMs, comments, oversized }
}

const message = (data: string) => ({ type: 'message', data })

// What eventsource-parser 3.1.1 makes of the same text.
describe('reads as eventsource-parser does', () => {
  test.for([
    ['one line', 'data: a\n\n', [message('a')]],
    ['no space after the colon', 'data:a\n\n', [message('a')]],
    ['only one space is taken', 'data:  a\n\n', [message(' a')]],
    ['several lines of data', 'data: a\ndata\ndata: b\n\n', [message('a\n\nb')]],
    ['empty data is an event', 'data:\n\n', [message('')]],
    ['no data is none', 'event: x\nid: 1\n\n', []],
    ['CR', 'data: a\r\rdata: b\n\n', [message('a'), message('b')]],
    ['CRLF', 'data: a\r\ndata: b\r\n\r\n', [message('a\nb')]],
    ['line ends mixed', 'data: a\rdata: b\ndata: c\r\n\n', [message('a\nb\nc')]],
    [
      'a type of its own',
      'event: endpoint\ndata: /x\n\ndata: y\n\n',
      [{ type: 'endpoint', data: '/x' }, message('y')],
    ],
    ['comments', ': hi\ndata: a\n:\n\n', [message('a')]],
    ['unknown fields', 'foo: 1\nfoobarbaz\nDATA: 2\ndata: a\n\n', [message('a')]],
    ['a colon in the value', 'data: a:b: c\n\n', [message('a:b: c')]],
    ['blank lines', '\n\n\ndata: a\n\n\n\n', [message('a')]],
    ['an event without its end', 'data: a\n\ndata: b\n', [message('a')]],
  ] as const)('%s', ([, text, events]) => {
    expect(read([text]).events).toEqual(events)
  })
})

test('a byte order mark is skipped, once and whole or split', () => {
  const bytes = Buffer.from('\ufeffdata: a\n\n')
  expect(read([bytes]).events).toEqual([message('a')])
  expect(read([bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)]).events).toEqual([
    message('a'),
  ])
  expect(read(['data: a\n\n\ufeffdata: b\n\n']).events).toEqual([message('a')])
})

describe('the last event id', () => {
  test('is that of the last complete event that had one', () => {
    expect(read(['id: 1\ndata: a\n\ndata: b\n\nid: 2\n']).lastEventId).toBe('1')
  })

  test('is taken from an event without data, which primes the stream', () => {
    expect(read(['id: 7\nretry: 250\n\n'])).toMatchObject({ lastEventId: '7', retryMs: 250 })
  })

  test('is none again after an empty one', () => {
    expect(read(['id: 1\ndata: a\n\nid\ndata: b\n\n']).lastEventId).toBeUndefined()
  })

  test('is not one with NUL in it, nor one too long for a header', () => {
    expect(read(['id: a\0b\ndata: a\n\n']).lastEventId).toBeUndefined()
    expect(read([`id: ${'x'.repeat(4_097)}\ndata: a\n\n`], 10_000).lastEventId).toBeUndefined()
  })
})

test('a time to wait is digits alone', () => {
  expect(read(['retry: 1500\n']).retryMs).toBe(1_500)
  for (const text of ['retry: 1.5\n', 'retry: -1\n', 'retry:\n', 'retry: 1e3\n']) {
    expect(read([text]).retryMs).toBeUndefined()
  }
})

test('comments are counted', () => {
  expect(read([': a\n:\n\ndata: x\n\n: b\n']).comments).toBe(3)
})

describe('an event over the limit', () => {
  const fits = 'x'.repeat(maxEventBytes)

  test('is not one of exactly the limit', () => {
    expect(read([`data: ${fits}\n\n`])).toMatchObject({ events: [message(fits)], oversized: [] })
  })

  test.for([
    ['on one line', ['data: ok\n\ndata: ', `<${fits}>`, '\n\ndata: later\n\n']],
    ['in one piece', [`data: ok\n\ndata: <${fits}>\n\ndata: later\n\n`]],
    ['with fields behind', [`data: ok\n\ndata: <${fits}>`, '\nevent: x\n\ndata: later\n\n']],
    ['on many lines', ['data: ok\n\n', 'data: <23456>\n'.repeat(200), '\ndata: later\n\n']],
    ['bit by bit', ['data: ok\n\n', ...`data: <${fits}>`, '\r\n', '\r\n', 'data: later\n\n']],
  ] as const)('%s is skipped, and told as it begins and ends', ([, pieces]) => {
    const { events, oversized } = read([...pieces])
    expect(events).toEqual([message('ok'), message('later')])
    expect(oversized).toHaveLength(2)
    expect(oversized[0]).toMatch(/^<.{511}$/s)
    expect(oversized[1]).toMatch(/(>|event: x)$/)
  })

  test('keeps its id, by which the stream goes on behind it', () => {
    const { lastEventId } = read([`id: 1\ndata: a\n\nid: 2\ndata: x${fits}\n\ndata: b\n\n`])
    expect(lastEventId).toBe('2')
  })

  test('that never ends is told once, and no more of it is kept', () => {
    const { oversized } = read(['data: ', ...Array<string>(50).fill(fits)])
    expect(oversized).toHaveLength(1)
  })

  test('is not a comment, however long', () => {
    expect(read([':', fits, fits, fits, '\ndata: a\n\n'])).toMatchObject({
      events: [message('a')],
      comments: 1,
      oversized: [],
    })
  })
})

describe('any text in any pieces', () => {
  const line = fc.oneof(
    fc.constantFrom('', '', 'data', 'data:', 'id: 1', 'id', 'retry: 5', 'event: x', ':', ': c'),
    fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => `data: ${text}`),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('data', 'foo', 'id', '').map((name) => `${name}: ${'x'.repeat(100)}`),
  )
  const stream = fc
    .array(fc.tuple(line, fc.constantFrom('\n', '\r', '\r\n')), { maxLength: 40 })
    .map((lines) => Buffer.from(lines.flat().join('')))
  const cuts = fc.array(fc.nat(), { maxLength: 30 })

  test('is read the same whole and split, and as the standard says', () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, at) => {
        const whole = read([bytes])
        expect(read(split(bytes, at))).toEqual(whole)
        expect(whole.events).toEqual(readByTheBook(bytes.toString()))
      }),
      { numRuns: longCount(2_000, 50_000) },
    )
  })

  test('with a small limit too, where events are skipped', () => {
    fc.assert(
      fc.property(stream, cuts, (bytes, at) => {
        const whole = read([bytes], 8)
        const fitting = readByTheBook(bytes.toString()).filter(
          ({ data }) => Buffer.byteLength(data.replaceAll('\n', '')) <= 8,
        )
        expect(fitting).toEqual(expect.arrayContaining(whole.events))
        expect(read(split(bytes, at), 8).events).toEqual(whole.events)
      }),
      { numRuns: longCount(1_000, 20_000) },
    )
  })

  test('byte by byte too', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        expect(read([...bytes].map((byte) => Buffer.of(byte)))).toEqual(read([bytes]))
      }),
      { numRuns: longCount(300, 5_000) },
    )
  })
})

test('8 MiB that come in pieces of 16 bytes are read in time that grows with their number', () => {
  const timeOf = (bytes: number) => {
    const parser = new EventStreamParser({ maxEventBytes: 16 * 1024 * 1024 })
    const piece = Buffer.alloc(16, 'x')
    const began = performance.now()
    parser.push(Buffer.from('data: '))
    for (let sent = 0; sent < bytes; sent += piece.length) parser.push(piece)
    expect(parser.push(Buffer.from('\n\n'))).toMatchObject([{ data: { length: bytes } }])
    return performance.now() - began
  }
  timeOf(1024 * 1024)
  const small = timeOf(1024 * 1024)
  expect(timeOf(8 * 1024 * 1024)).toBeLessThan(small * 8 * 5 + 100)
})

function split(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index]))
}

/** The standard's algorithm word by word, without regard for chunks, limits or speed. */
function readByTheBook(text: string) {
  const events: { type: string; data: string }[] = []
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)
  let data: string[] = []
  let type = ''
  for (const line of lines.slice(0, -1)) {
    const [, name, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? []
    if (line === '') {
      if (data.length > 0) events.push({ type: type || 'message', data: data.join('\n') })
      data = []
      type = ''
    } else if (name === 'data') data.push(value)
    else if (name === 'event') type = value
  }
  return events
}
