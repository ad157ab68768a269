import { isDeepStrictEqual } from 'node:util'
import { parseJson } from '@dataagent/schema/base'
import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createJsonReader } from './json-reader.ts'

const numRuns = longCount(1000, 100_000)
const timeout = longCount(30_000, 600_000)

function readOwn(bytes: Buffer, isOver = () => false): unknown {
  const reader = createJsonReader(bytes)
  while (!reader.readOn(isOver));
  return reader.value()
}

/** What came of it: the value, or that there is none. */
function outcome(read: () => unknown): unknown {
  try {
    return { value: read() }
  } catch {
    return 'refused'
  }
}

function readsAlike(bytes: Buffer, isOver?: () => boolean): boolean {
  const text = bytes.toString('utf8')
  return isDeepStrictEqual(
    outcome(() => readOwn(bytes, isOver)),
    outcome(() => parseJson(text)),
  )
}

const anyString = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.nat(0xffff), { maxLength: 8 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '\ud800',
    '\udc00\ud800',
    '\u2028',
    '订单',
    '😀',
    '0',
  ),
)
const anyNumber = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.constantFrom(2 ** 53 + 2, 1e308, 5e-324, -1e21, 123456789, 1234567890),
)
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.oneof(anyString, anyNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.array(fc.tuple(anyString, tie('tree')), { maxLength: 5 }).map(Object.fromEntries),
  ),
}))

/** Each character of a string is escaped or not, and space may stand wherever JSON allows it. */
const anyText = fc
  .tuple(tree, fc.infiniteStream(fc.boolean()), fc.constantFrom('', ' ', '\r\n\t'))
  .map(([value, choices, space]) =>
    JSON.stringify(value)
      .replace(/"(?:[^"\\]|\\.)*"/g, (token) => escapeSome(JSON.parse(token), choices))
      .replace(/[[\]{},:](?=(?:[^"]*"[^"]*")*[^"]*$)/g, `${space}$&${space}`),
  )

function escapeSome(text: string, choices: fc.Stream<boolean>): string {
  const unit = (index: number) =>
    choices.next().value
      ? `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`
      : JSON.stringify(text[index]).slice(1, -1)
  return `"${Array.from({ length: text.length }, (_, index) => unit(index)).join('')}"`
}

/** Pieces of JSON in any order, most of them not JSON, some of them not text. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'{}[],:"\\', '"a"', '{"a":', '\\u00', '\\ud83d', '-', '0', '1.5e', 'true'),
      fc.constantFrom('null', ' ', '\n', '\u0001', '\ufeff', '1e999', '-0', '__proto__', '订'),
      fc.uint8Array({ maxLength: 4 }),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part as string))))

describe('reads as parseJson does', () => {
  test('any JSON, however it is escaped and spaced', { timeout }, () => {
    const property = fc.property(anyText, (text) => readsAlike(Buffer.from(text)))
    fc.assert(property, { numRuns })
  })

  test('any JSON, one step at a time', { timeout }, () => {
    const property = fc.property(anyText, (text) => readsAlike(Buffer.from(text), () => true))
    fc.assert(property, { numRuns })
  })

  test('any bytes', { timeout }, () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => readsAlike(bytes)),
      { numRuns: numRuns * 5 },
    )
  })

  test('any bytes inside a string', { timeout }, () => {
    const property = fc.property(fc.uint8Array(), (bytes) =>
      readsAlike(Buffer.concat([Buffer.from('["'), bytes, Buffer.from('"]')])),
    )
    fc.assert(property, { numRuns })
  })

  test('JSON of which a byte was changed or which was cut', { timeout }, () => {
    const property = fc.property(anyText, fc.nat(), fc.nat(255), (text, at, byte) => {
      const bytes = Buffer.from(text)
      const cut = bytes.subarray(0, at % (bytes.length + 1))
      bytes[at % bytes.length] = byte
      return readsAlike(bytes) && readsAlike(cut)
    })
    fc.assert(property, { numRuns })
  })

  test.each([
    '{"a":1,"b":2,"a":3}',
    '{"2":0,"1":0,"b":0,"a":0}',
    '[-0,-0.0,-0e5,0,0.0]',
    '[123456789,1234567890,12345678901234567890,01]',
    '[1.,2]',
    '[+1]',
    '[1e400]',
    '[-1e400]',
    '[1e-400]',
    '[.5]',
    '[NaN]',
    '[tru]',
    '[truee]',
    '[1,]',
    '{"a":1,}',
    '{"a"}',
    '{,}',
    '[1 2]',
    '[]]',
    '{"a":[}',
    '"\\x"',
    '"\\u12',
    '"\\u12"',
    '"\\u12","a":"',
    '"a\nb"',
    '',
    ' ',
    'null',
    ' 7 ',
    '{"__proto__":1}',
    '{"__pr\\u006fto__":1}',
    '["__proto__"]',
  ])('%j', (text) => {
    expect(readsAlike(Buffer.from(text))).toBe(true)
  })

  test.each([
    ['of plain text', 'A'],
    ['of escapes', '\\n\\"\\\\'],
    ['of escaped pairs', '\\ud83d\\ude00'],
    ['of characters of three bytes', '订单'],
    ['of characters of four bytes', '😀'],
    ['of all kinds', 'aé订😀\\u00e9'],
  ])('a long string %s, wherever its pieces are cut', (_, unit) => {
    for (let shift = 0; shift < 13; shift += 1) {
      const text = `["${'x'.repeat(shift)}${unit.repeat(200_000 / unit.length)}"]`
      expect(readsAlike(Buffer.from(text))).toBe(true)
    }
  })

  test('a long string of broken UTF-8, wherever its pieces are cut', () => {
    const broken = [
      [0x80],
      [0xe4, 0xbd],
      [0xf0, 0x9f, 0x98],
      [0xff, 0xc3, 0x28],
      [0xc3, 0x5c, 0x6e],
    ]
    for (const unit of broken) {
      for (let shift = 0; shift < 5; shift += 1) {
        const bytes = Buffer.concat([
          Buffer.from(`["${'x'.repeat(shift)}`),
          Buffer.alloc(200_000 - (200_000 % unit.length), Buffer.from(unit)),
          Buffer.from('"]'),
        ])
        expect(readsAlike(bytes)).toBe(true)
      }
    }
  })

  test('a long key', () => {
    expect(readsAlike(Buffer.from(`{"${'key\\n'.repeat(50_000)}":1}`))).toBe(true)
  })
})

describe('refuses what would hold the thread or fill the memory', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":0`)}}`

  test.each([
    ['levels of nesting', nested(64), nested(65)],
    ['levels of nesting', nested(64), nested(1_000_000)],
    ['characters in a number', `[0.${'1'.repeat(998)}]`, `[0.${'1'.repeat(999)}]`],
    ['values in one array', `[${'0,'.repeat(999_999)}0]`, `[${'0,'.repeat(1_000_000)}0]`],
    ['values in one array or object', keys(100_000), keys(100_001)],
    [
      'arrays and objects',
      `[${`[${'{},'.repeat(498)}1],`.repeat(801)}1]`,
      `[${`[${'{},'.repeat(999)}1],`.repeat(401)}1]`,
    ],
    [
      'values in all',
      `[${`[${'0,'.repeat(498)}1],`.repeat(3_999)}1]`,
      `[${`[${'0,'.repeat(998)}1],`.repeat(2_001)}1]`,
    ],
  ])('too many %s', (what, good, bad) => {
    expect(() => readOwn(Buffer.from(good))).not.toThrow()
    expect(() => readOwn(Buffer.from(bad))).toThrow(what)
  })
})

test('an object read has no other prototype, whatever its keys [T16]', () => {
  const value = readOwn(Buffer.from('{"constructor":{"prototype":{"polluted":1}},"a":{}}'))
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})
