import { expect, test } from 'vitest'
import { wrapComments } from './wrap-comments.mjs'

const words = (count: number) => Array.from({ length: count }, (_, i) => `word${i % 10}`).join(' ')
const wrap = (text: string) => wrapComments('a.ts', text)
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length))
const wordsOf = (text: string) => text.match(/word\d/g)

test('a doc comment that fits is left alone', () => {
  const text = `/** ${words(10)} */\nexport const a = 1\n\n/**\n * short\n * lines\n */\nconst b = 2\n`
  expect(wrap(text)).toBe(text)
})

test('a wide doc comment is filled to 100 columns with the same words', () => {
  const text = `interface A {\n  /** ${words(40)} */\n  b: 1\n}\n`
  const wrapped = wrap(text)
  expect(widest(wrapped)).toBeLessThanOrEqual(100)
  expect(wordsOf(wrapped)).toEqual(wordsOf(text))
  expect(wrapped).toMatch(
    /^interface A \{\n {2}\/\*\*\n {3}\* word0 .*\n {3}\*\/\n {2}b: 1\n\}\n$/s,
  )
  expect(wrap(wrapped)).toBe(wrapped)
})

test('only the wide paragraph or list item is filled', () => {
  const text = `/**\n * short\n * lines\n *\n * - ${words(20)}\n * - item\n */\n`
  expect(wrap(text)).toMatch(
    /^\/\*\*\n \* short\n \* lines\n \*\n \* - word0 .*\n \* {3}word\d.*\n \* - item\n \*\/\n$/,
  )
})

test('a run of line comments is one paragraph', () => {
  const wrapped = wrap(`  // ${words(20)}\n  // word0 end\n  run()\n`)
  expect(wrapped.split('\n')).toHaveLength(4)
  expect(wrapped).toMatch(/word0 end\n {2}run\(\)\n$/)
  expect(widest(wrapped)).toBeLessThanOrEqual(100)
})

test('strings, trailing comments and code blocks are not touched', () => {
  const text = `const a = '// ${words(20)}'\nrun() // ${words(20)}\n`
  expect(wrap(text)).toBe(text)
  const fenced = `/**\n * \`\`\`ts\n * ${words(20)}\n * b\n * \`\`\`\n */\n`
  expect(wrap(fenced)).toContain('\n * b\n')
})
