import { expect, test } from 'vitest'
import { distrust } from './trust.ts'

function file(uid: number, mode: number) {
  return { uid, mode, isDirectory: () => false }
}

test("our own and root's files are trusted, any other user's are not", () => {
  const reasons = [1000, 0, 1001].map((uid) => distrust('/x', file(uid, 0o644), 1000)?.en)
  expect(reasons).toEqual([undefined, undefined, expect.stringContaining('uid 1001')])
})

test('a file that others can write is not trusted, sticky or not', () => {
  for (const mode of [0o664, 0o646, 0o1666])
    expect(distrust('/x', file(1000, mode), 1000)?.zh).toContain('chmod go-w /x')
})
