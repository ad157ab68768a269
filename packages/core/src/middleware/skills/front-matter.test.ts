import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFrontMatter } from './front-matter.ts'
import { parseSkill } from './parse-skill.ts'

test.each<[string, string, unknown]>([
  ['a plain text', 'a: hello world', 'hello world'],
  ['a text with a colon', 'a: Use when: asked', 'Use when: asked'],
  ['a comment', 'a: b # c', 'b'],
  ['double quotes', 'a: "b: \\"c\\" # d"', 'b: "c" # d'],
  ['single quotes', "a: 'it''s'", "it's"],
  ['a text over lines', 'a: one\n  two', 'one two'],
  ['a text below', 'a:\n  one\n  two', 'one two'],
  ['a folded block', 'a: >-\n  one\n  two\n\n  three', 'one two\nthree'],
  ['a literal block', 'a: |\n  one\n    two\n', 'one\n  two'],
  ['an inline list', 'a: [b, "c, d", \'e\']', ['b', 'c, d', 'e']],
  ['a list', 'a:\n  - b\n  - "c"', ['b', 'c']],
  ['a list at the margin', 'a:\n- b\n- c', ['b', 'c']],
  ['named texts', 'a:\n  author: me\n  version: "1.0"', { author: 'me', version: '1.0' }],
  ['nothing', 'a:', ''],
  ['Chinese', 'a: 泡茶：用于热饮', '泡茶：用于热饮'],
])('reads %s', (_, yaml, value) => {
  const { fields, body } = parseFrontMatter(`---\n${yaml}\nz: last\n---\n\nBody\n---\nmore\n`)
  expect(fields.a).toEqual(value)
  expect(fields.z).toBe('last')
  expect(body).toBe('Body\n---\nmore')
})

test('reads files of Windows', () => {
  expect(parseFrontMatter('\ufeff---\r\na: b\r\n---\r\nBody\r\n')).toMatchObject({ body: 'Body' })
})

test('a field called like one of every object is only a field', () => {
  expect(parseFrontMatter('---\nconstructor: a\n---\n').fields.constructor).toBe('a')
})

test('any text is read or refused as invalid, in no time', () => {
  const line = fc.oneof(
    fc.constantFrom('---', 'a: |', 'a:', '- b', '  c: d', 'a: [', '#', ''),
    fc.string(),
  )
  const property = fc.property(fc.array(line), (lines) => {
    try {
      parseFrontMatter(['---', ...lines].join('\n'))
    } catch (error) {
      expect(error).toMatchObject({ code: 'invalid_request' })
    }
  })
  fc.assert(property, { numRuns: 500 })
})

test.each([
  ['spaces before no comment', `a: b${' '.repeat(200_000)}c`],
  ['a folded block of spaces', `a: >\n  b${' '.repeat(200_000)}c`],
  ['a line that ends within', `a:${' '.repeat(200_000)}b\u2028c`],
  ['a block of empty lines', `a: >\n${'\n'.repeat(200_000)}  b`],
])('reads %s in linear time', (_, yaml) => {
  const began = performance.now()
  expect(parseFrontMatter(`---\n${yaml}\n---\n`).fields.a).toMatch(/[bc]$/)
  expect(performance.now() - began).toBeLessThan(5_000)
})

test('reads tools with brackets that never close in linear time', () => {
  const began = performance.now()
  const text = `---\nname: a\ndescription: b\nallowed-tools: ${'a('.repeat(100_000)}\n---\n`
  expect(parseSkill(text).tools).toHaveLength(50)
  expect(performance.now() - began).toBeLessThan(5_000)
})
