import { applyPatch, formatPatch } from 'diff'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBlock } from './block-patch.ts'
import { diffOf, type FileState } from './diff-of.ts'
import { toState } from './file-op-tracker.ts'

const text = (content: string): FileState => ({ kind: 'text', text: content })

test('a diff makes the one of the other, and its counts are those of its lines [D8.2]', () => {
  const line = fc.constantFrom('a', 'b', '数', '-', '+', '')
  const file = fc.array(line).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(file, file, (before, after) => {
      const { diff, additions, deletions } = diffOf('f.txt', text(before), text(after))
      if (before === after) expect(diff).toBe('')
      else expect(applyPatch(before, diff)).toBe(after)
      const body = diff.split('\n').slice(2)
      expect(additions).toBe(body.filter((each) => each.startsWith('+')).length)
      expect(deletions).toBe(body.filter((each) => each.startsWith('-')).length)
    }),
    { numRuns: 300 },
  )
})

test('an empty file that is made or removed is told too', () => {
  expect(diffOf('f', { kind: 'absent' }, text('')).diff).toContain('/dev/null')
})

test('a block does so too, whatever the ends of the files', () => {
  const file = fc.array(fc.constantFrom('a', 'b', '数', '')).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(file, file, (before, after) => {
      fc.pre(before !== after)
      const patch = { oldFileName: 'f', newFileName: 'f', oldHeader: '', newHeader: '' }
      const hunks = [toBlock(before, after)]
      expect(applyPatch(before, { ...patch, hunks })).toBe(after)
      expect(applyPatch(before, formatPatch({ ...patch, hunks }))).toBe(after)
    }),
    { numRuns: 300 },
  )
})

describe('what would take long is told in bounded time [T55]', () => {
  const many = (word: string, count: number) =>
    text(Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join(''))
  const large = (fill: string) => toState(Buffer.alloc(50 * 1024 * 1024, fill))

  test.each([
    ['all lines of a large file', many('old', 50_000), many('new', 50_000), 50_000],
    ['a line of 50 MB', large('a'), large('b'), 0],
    ['a line of 900 kB', text('a'.repeat(900_000)), text('b'.repeat(900_000)), 1],
  ])('%s', (_, before, after, lines) => {
    // What this thread worked: on a busy machine it may also have waited.
    const began = process.threadCpuUsage()
    const { diff, additions, deletions } = diffOf('f.txt', before, after)
    const { user, system } = process.threadCpuUsage(began)
    expect((user + system) / 1_000).toBeLessThan(500)
    expect(diff.length).toBeLessThan(70_000)
    expect({ additions, deletions }).toEqual({ additions: lines, deletions: lines })
  })

  test('binary files are named with their sizes', () => {
    const state = toState(Buffer.from('a\0b'))
    expect(diffOf('f', state, text('x\n'))).toMatchObject({
      diff: '--- a/f\n+++ b/f\n\\ Not shown: a binary file of 3 bytes became a text of 1 lines\n',
    })
  })
})
