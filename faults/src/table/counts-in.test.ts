import { expect, test } from 'vitest'
import { countsIn } from './counts-in.ts'

test('what titles counted is added up, the most first', () => {
  expect(
    countsIn([
      'MariaDB: 500 kill -9 of the server lose no event',
      'each of 1,000 mutated answers as %s gives a result',
      'each of 2000 mutated answers as %s gives a result',
      'SQLite: 500 kill -9 of the server lose no event',
    ]),
  ).toEqual(['3,000 mutated answers', '1,000 kill -9'])
})

test('sizes, places and limits are no counts', () => {
  expect(
    countsIn([
      'an answer of 100 MB on 127.0.0.1 is cut',
      'refuses a key file of mode 420 and says what to do',
      'hostile requests neither leave 5 columns nor send escapes',
      'D23.6 calls end',
      'writes are refused with 507, reads and cancels go on',
    ]),
  ).toEqual([])
})
