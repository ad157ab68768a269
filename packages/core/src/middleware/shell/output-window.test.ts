import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createOutputWindow } from './output-window.ts'

function windowOf(chunks: readonly string[], head = 10, tail = 10) {
  const window = createOutputWindow(head, tail)
  for (const chunk of chunks) window.push(Buffer.from(chunk))
  return window
}

test('a short output is whole, in whatever pieces it comes', () => {
  expect(windowOf(['0123456', '789abc', 'defghij']).text()).toBe('0123456789abcdefghij')
})

test('a long one has its beginning, its end and how much is missing', () => {
  const text = windowOf(['0123456789', 'x'.repeat(100), 'abcdefghij']).text()
  expect(text).toBe('0123456789\n[… 100 bytes left out …]\nabcdefghij')
})

test('a character that is cut in two is left out', () => {
  const text = windowOf(['茶'.repeat(20)]).text()
  expect(text).toBe('茶茶茶\n[… 40 bytes left out …]\n茶茶茶')
})

test('one byte at a time takes linear time', () => {
  const began = performance.now()
  const window = createOutputWindow(16_384, 16_384)
  for (let i = 0; i < 600_000; i += 1) window.push(Buffer.from([97 + (i % 26)]))
  expect(window.text().slice(-3)).toBe(String.fromCharCode(...[3, 2, 1].map(letterBefore)))
  expect(performance.now() - began).toBeLessThan(5_000)

  function letterBefore(end: number): number {
    return 97 + ((600_000 - end) % 26)
  }
})

test('whatever comes, the ends are right and little is held', () => {
  const property = fc.property(fc.array(fc.stringMatching(/^[a-z]*$/)), (chunks) => {
    const all = chunks.join('')
    const window = windowOf(chunks, 5, 7)
    expect(window.total).toBe(all.length)
    if (all.length <= 12) expect(window.text()).toBe(all)
    else {
      expect(window.text().startsWith(all.slice(0, 5))).toBe(true)
      expect(window.text().endsWith(all.slice(-7))).toBe(true)
    }
  })
  fc.assert(property)
})
