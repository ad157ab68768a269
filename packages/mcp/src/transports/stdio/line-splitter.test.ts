import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLineSplitter, type Line } from './line-splitter.ts'

/** What a splitter makes of `chunks`, with the bytes as text. */
function split(chunks: Buffer[], maxBytes: number): string[] {
  const splitter = createLineSplitter({ maxBytes })
  const found: string[] = []
  for (const chunk of chunks) {
    splitter.push(chunk)
    for (let line = splitter.next(); line; line = splitter.next()) found.push(toText(line))
  }
  return found
}

function toText(line: Line): string {
  if (line.kind === 'too_large') return `too large: ${line.head}`
  if (line.kind === 'too_large_end') return `ends: ${line.tail}`
  return String(Buffer.isBuffer(line.bytes) ? line.bytes : Buffer.concat(line.bytes))
}

/** The same by hand, from the whole. */
function splitWhole(text: string, maxBytes: number): string[] {
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) =>
      line.length <= maxBytes
        ? [line]
        : [`too large: ${line.slice(0, 512)}`, `ends: ${line.slice(-512)}`],
    )
}

test('gives the same lines however the stream is cut', { timeout: 300_000 }, () => {
  const anyLine = fc
    .tuple(fc.nat(2000), fc.nat(25))
    .map(([length, first]) =>
      Array.from({ length }, (_, i) => String.fromCharCode(97 + ((i + first) % 26))).join(''),
    )
  const property = fc.property(
    fc.array(anyLine, { maxLength: 6 }),
    fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 9 }),
    fc.integer({ min: 1, max: 2100 }),
    (lines, cuts, maxBytes) => {
      const text = lines.map((line) => `${line}\n`).join('')
      const chunks: Buffer[] = []
      for (let at = 0, i = 0; at < text.length; i += 1) {
        const length = cuts[i % cuts.length] ?? 1
        chunks.push(Buffer.from(text.slice(at, at + length)))
        at += length
      }
      // How a line began is told when the limit is passed: so much of it has come by then.
      const cutHead = (line: string) =>
        line.replace(/^too large: .*/, (head) => head.slice(0, 'too large: '.length + maxBytes))
      const expected = splitWhole(text, maxBytes)
      expect(split(chunks, maxBytes).map(cutHead)).toEqual(expected.map(cutHead))
    },
  )
  fc.assert(property, { numRuns: longCount(300, 20_000) })
})

test('a line in single bytes takes little more memory than its size', () => {
  const [splitter, size] = [createLineSplitter({ maxBytes: 2e6 }), 1e6]
  const before = process.memoryUsage()
  let given = 0
  for (let i = 0; i < size; i += 1) {
    splitter.push(Buffer.from('x'))
    if (splitter.next()) given += 1
  }
  expect(given).toBe(0)
  splitter.push(Buffer.from('\n'))
  const line = splitter.next()
  expect(line?.kind === 'line' && line.bytes.length).toBeLessThan(100)
  expect(line && toText(line)).toBe('x'.repeat(size))
  expect(process.memoryUsage().external - before.external).toBeLessThan(16e6)
})

test('an oversized line that ends in the chunk in which it passes the limit is told whole', () => {
  const chunk = Buffer.from('{"id":7,"result":"abc"}\n{"next":1}\n')
  expect(split([chunk], 12)).toEqual([
    'too large: {"id":7,"result":"abc"}',
    'ends: {"id":7,"result":"abc"}',
    '{"next":1}',
  ])
})
