import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replaceText } from './replace-text.ts'

const edit = (text: string, old_string: string, new_string: string, replace_all = false) =>
  replaceText(text, { old_string, new_string, replace_all }).text

describe('line ends and composed letters need not be as the file has them', () => {
  test.each([
    ['a CRLF file, an LF passage', 'a\r\nb\r\nc\r\n', 'a\nb', 'x\ny', 'x\r\ny\r\nc\r\n'],
    ['an LF file, a CRLF passage', 'a\nb\nc\n', 'a\r\nb', 'x\r\ny', 'x\ny\nc\n'],
    ['a new line in a CRLF file', 'a\r\nb\r\n', 'b', 'b\nc', 'a\r\nb\r\nc\r\n'],
    ['an NFD file, an NFC passage', 'cafe\u0301 au lait', 'café', 'tea', 'tea au lait'],
    ['an NFC file, an NFD passage', 'café au lait', 'cafe\u0301', 'tea', 'tea au lait'],
    ['a byte order mark', '\ufeffa,b\n', 'a,b', 'c,d', '\ufeffc,d\n'],
    ['patterns of replace are plain text', 'x', 'x', '$& $1 $$', '$& $1 $$'],
  ])('%s', (_, text, old_string, new_string, expected) => {
    expect(edit(text, old_string, new_string)).toBe(expected)
  })
})

describe('what cannot be replaced says why and what to do', () => {
  test.each([
    ['not there', 'alpha\n', 'beta', /not in the file. Read the file again/],
    [
      'spaces',
      'if (a) {\n\treturn 1\n}\n',
      'if (a) {\n  return 1',
      /line 1 differs.*spaces.*\\treturn/,
    ],
    ['inner spaces', 'x  =  1\n', 'x = 1', /"x {2}= {2}1"/],
    ['quotes', 'say “hi”\n', 'say "hi"', /look alike.*“hi”/],
    ['full width', '价格：１０\n', '价格:10', /look alike/],
    [
      'line numbers',
      'alpha\nbeta\n',
      '     1\talpha\n     2\tbeta',
      /line numbers.*Leave them out/,
    ],
    ['several', 'a\na\na\n', 'a', /3 times \(lines 1, 2, 3\).*replace_all/],
    ['nothing', 'a', '', /old_string is empty/],
    ['the same', 'a', 'new', /are the same/],
  ])('%s', (_, text, old_string, words) => {
    expect(() => edit(text, old_string, 'new')).toThrow(words)
  })

  test.each([
    ['equal lines', 'a\n'.repeat(500_000), `${'a\n'.repeat(4_900)}b`],
    ['lines that nearly fit', 'a\na\nb\n'.repeat(160_000), `${'a\na\nb\n'.repeat(1_600)}c`],
    ['one line', 'a'.repeat(1_000_000), `${'a'.repeat(5_000)}b${'a'.repeat(4_000)}`],
    ['numbers and empty lines', 'a\n', `1\t${'\n'.repeat(9_900)}`],
  ])('a passage that is not there is looked for in linear time: %s', (_, text, passage) => {
    const began = performance.now()
    expect(() => edit(text, passage, 'x')).toThrow(/not in the file/)
    expect(performance.now() - began).toBeLessThan(8_000)
  })

  test('a long passage is found at the end of a long line in linear time', () => {
    const began = performance.now()
    const passage = `${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`
    expect(edit(`${'a'.repeat(3_000_000)}${passage}`, passage, 'x')).toMatch(/^a+x$/)
    expect(performance.now() - began).toBeLessThan(8_000)
  })

  test('of lines that repeat, the ones that fit are found', () => {
    const text = 'x\ny\nx\ny\nx\n\tz end\n'
    expect(() => edit(text, 'x\ny\nx\nz', 'new')).toThrow(/line 3 differs/)
  })

  test('a file of many lines is looked through in reasonable time', () => {
    const began = performance.now()
    expect(() => edit('same line\n'.repeat(200_000), 'same  line\nother', 'x')).toThrow()
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})

test('with one match exactly that passage changes, with all every one', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '数') })
  fc.assert(
    fc.property(piece, piece, (before, after) => {
      expect(edit(`${before}OLD${after}`, 'OLD', 'NEW')).toBe(`${before}NEW${after}`)
      expect(edit(`${before}OLD${after}OLD`, 'OLD', '', true)).toBe(`${before}${after}`)
    }),
    { numRuns: 200 },
  )
})

test('passages are found as indexOf finds them, short or long', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  fc.assert(
    fc.property(letters, letters, fc.constantFrom(1, 40), (text, piece, times) => {
      const passage = (piece || 'a').repeat(times)
      const whole = `${text}${passage}${text}${passage}${passage}`.repeat(3)
      expect(replaceText(whole, toAll(passage)).text).toBe(whole.replaceAll(passage, 'x'))
    }),
  )

  function toAll(old_string: string) {
    return { old_string, new_string: 'x', replace_all: true }
  }
})
