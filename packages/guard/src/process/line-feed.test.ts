import { createFakeClock } from '@dataagent/testkit'
import { expect, test } from 'vitest'
import { createLineFeed } from './line-feed.ts'

function createFeed() {
  const clock = createFakeClock()
  const lines: string[] = []
  const feed = createLineFeed({ onLine: (line) => lines.push(line), clock })
  return { clock, lines, feed, push: (text: string) => feed.push(Buffer.from(text)) }
}

test('lines cut anywhere arrive whole, and the last one without its end', () => {
  const { feed, lines, push } = createFeed()
  for (const piece of ['on', 'e\ntw', 'o\r\n\nfo', 'ur']) push(piece)
  feed.end()
  expect(lines).toEqual(['one', 'two', '', 'four'])
})

test('a buffer that is used again does not change a line begun in it', () => {
  const { feed, lines } = createFeed()
  const buffer = Buffer.from('first')
  feed.push(buffer)
  buffer.fill('x')
  feed.push(Buffer.from('\n'))
  expect(lines).toEqual(['first'])
})

test('a flood is cut to 200 lines, then 50 a second, and what is left out is counted', () => {
  const { clock, feed, lines, push } = createFeed()
  push('flood\n'.repeat(1000))
  push('and on')
  push(' and on\n')
  expect(lines).toHaveLength(200)
  clock.advance(1000)
  push('after\n')
  expect(lines.slice(200)).toEqual([`[${800 * 6 + 14} bytes left out]`, 'after'])
  push('again\n'.repeat(100))
  expect(lines).toHaveLength(202 + 49)
  feed.end()
  expect(lines.at(-1)).toBe('[306 bytes left out]')
})

test('a line without end keeps its first 4 KiB', () => {
  const { lines, push } = createFeed()
  for (let i = 0; i < 100; i += 1) push('y'.repeat(1000))
  push('\nnext\n')
  expect(lines).toEqual([`${'y'.repeat(4096)} [95904 bytes more]`, 'next'])
})
