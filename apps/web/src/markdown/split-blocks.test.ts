import { describe, expect, test } from 'vitest'
import { splitBlocks } from './split-blocks.ts'

const textsOf = (text: string) => splitBlocks(text).map((block) => block.text)

describe('Markdown is parted', () => {
  test.each([
    ['at empty lines', 'a\nb\n\n\nc', ['a\nb', 'c']],
    ['not within a fence', '```js\na\n\nb\n```\n\nc', ['```js\na\n\nb\n```', 'c']],
    ['not within a longer fence', '````\n```\n\n```\n````\n\nc', ['````\n```\n\n```\n````', 'c']],
    ['not within a fence that is still open', '~~~\na\n\nb', ['~~~\na\n\nb']],
    ['not within a list', '1. a\n\n2. b\n\n   c\n\nd', ['1. a\n\n2. b\n\n   c', 'd']],
    ['where there is nothing', '\n\n', []],
  ])('%s', (_, text, blocks) => {
    expect(textsOf(text)).toEqual(blocks)
  })

  test('so that what was written stays while the rest grows', () => {
    const whole = '# A\n\ntext\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nlast'
    const before = splitBlocks(whole.slice(0, -3))
    expect(splitBlocks(whole).slice(0, -1)).toEqual(before.slice(0, -1))
  })

  test('each with the place where it begins', () => {
    const whole = '\n\n# A\n\n\n- b\n\n\n- c\n\n```\nd\n\ne\n```\n\nf\n'
    const blocks = splitBlocks(whole)
    expect(blocks).toHaveLength(4)
    for (const { from, text } of blocks) expect(whole.slice(from).startsWith(text)).toBe(true)
  })
})
