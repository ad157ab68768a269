import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createPlainStream, toPlain, toPlainLine } from './sanitize.ts'
import { showLines } from './test-lines.ts'
import { widthOf } from './width.ts'

/** What terminals act upon, and what people cannot see. */
const attacks = [
  ...['\u001b[31m', '\u001b[2J', '\u001b[10;10H', '\u001b[?1049h', '\u001b[?2004h', '\u001b[6n'],
  ...['\u001b]0;title\u0007', '\u001b]52;c;ZXZpbA==\u0007', '\u001b]8;;http://evil\u001b\\'],
  ...[
    '\u001bP1$r0m\u001b\\',
    '\u001b_APC\u001b\\',
    '\u001bc',
    '\u001b(0',
    '\u009b31m',
    '\u009d0;t\u009c',
  ],
  ...[
    '\u001b',
    '\u001b[',
    '\u001b]0;',
    '\u0007',
    '\b',
    '\r',
    '\r\n',
    '\u000b',
    '\f',
    '\u007f',
    '\u0085',
  ],
  ...['\u202e', '\u2066', '\u200b', '\u200d', '\ufeff', '\u{e0041}', '\u2028', '\u00ad', '\ufe0f'],
  ...['\ud800', '\udc00', '👩‍💻', '你好', 'e\u0301', '\t', '\n', 'a', ' '],
]
const anyUnits = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units))
const part = fc.oneof(fc.constantFrom(...attacks), fc.string({ unit: 'binary' }), anyUnits)
const hostile = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(''))

const forbidden = /[\p{Cc}--[\n\t]]|\p{Cs}|\p{Zl}|\p{Zp}|[\p{Cf}--\u200d]/v

describe('text of others', () => {
  test('has no control character, escape, lone surrogate or hidden character left [T58]', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(toPlain(text)).not.toMatch(forbidden)
        expect(toPlainLine(text)).not.toMatch(/[\n\t]/)
      }),
      { numRuns: 500 },
    )
  })

  test('moves the cursor by its cells and does nothing else to a terminal [T58]', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const lines = toPlain(text).replaceAll('\t', ' ').split('\n')
        const { acts, hasStyle, cursor, ...shown } = await showLines(lines, 1000)
        expect(acts).toEqual([])
        expect(hasStyle).toBe(false)
        expect(cursor.row).toBe(lines.length - 1)
        // What has no width is kept with what it belongs to, or not at all.
        const bare = (line: string) => line.replace(/[\p{M}\u200d]/gv, '').trimEnd()
        expect(shown.lines.slice(0, lines.length).map(bare)).toEqual(lines.map(bare))
      }),
      { numRuns: 150 },
    )
  })

  test('is the same in whatever pieces it comes, escapes that are cut apart included', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(200), { maxLength: 6 }), (text, cuts) => {
        const stream = createPlainStream()
        const at = [0, ...cuts.map((each) => Math.min(each, text.length)), text.length]
        at.sort((a, b) => a - b)
        const pieces = at.slice(1).map((end, i) => text.slice(at[i], end))
        const shown = pieces.map((piece) => stream.push(piece)).join('') + stream.end()
        expect(shown).not.toMatch(forbidden)
      }),
      { numRuns: 300 },
    )
    const stream = createPlainStream()
    const pieces = ['a\u001b', '[3', '1mred\r', '\nb\ud83d', '\udc69\u200d', '💻!']
    expect(pieces.map((each) => stream.push(each)).join('') + stream.end()).toBe('ared\nb👩‍💻!')
  })

  test('that is harmless stays as it is', () => {
    const texts = ['订单 42\n\tnext', 'e\u0301', '👩‍💻 👍🏽 ❤️ 1️⃣', '葛\u{e0100}', 'naïve ½ ™']
    expect(texts.map(toPlain)).toEqual(texts)
  })

  test('shows what is hidden by its number', () => {
    expect(toPlain('pay\u202eevil\u202c')).toBe('pay<U+202E>evil<U+202C>')
    expect(toPlain('a\u200bb\u{e0041}\ufeff')).toBe('a<U+200B>b<U+E0041><U+FEFF>')
    expect(toPlain('a\u200db')).toBe('a<U+200D>b')
    expect(toPlain('x\ufe0f\ufe0e')).toBe('x\ufe0f<U+FE0E>')
  })

  test('loses sequences whole, but never what a sequence without end would swallow', () => {
    expect(toPlain('\u001b[1;31mred\u001b(B\u001b[m')).toBe('red')
    expect(toPlain('\u001b]0;title\u0007text')).toBe('text')
    expect(toPlain('\u001b]0;title and more')).toBe(']0;title and more')
  })
})

test('the terminal of these tests sees what is done to it', async () => {
  const { acts, hasStyle } = await showLines([attacks.slice(0, 9).join('x')])
  expect(hasStyle).toBe(true)
  expect(acts).toEqual(
    expect.arrayContaining(['title title', 'clipboard', 'link', 'modes', 'buffer']),
  )
})

test('a line of others is one line, no wider than told', () => {
  expect(toPlainLine('  a\n\tb\r\nc ')).toBe('a b c')
  expect(toPlainLine('你好你好', 5)).toBe('你好…')
  expect(toPlainLine('abcdef', 5, '...')).toBe('ab...')
  fc.assert(
    fc.property(hostile, fc.integer({ min: 1, max: 40 }), (text, width) => {
      expect(widthOf(toPlainLine(text, width))).toBeLessThanOrEqual(width)
    }),
  )
})

test('megabytes take one pass', () => {
  const unterminated = '\u001b]0;x'.repeat(300_000)
  const marks = '\u001b[31m\u202e你'.repeat(200_000)
  const begun = process.cpuUsage().user
  toPlain(unterminated)
  toPlain(marks)
  toPlain('plain text 订单\n'.repeat(200_000))
  expect((process.cpuUsage().user - begun) / 1000).toBeLessThan(5000)
})
