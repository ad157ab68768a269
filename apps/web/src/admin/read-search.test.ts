import { expect, test } from 'vitest'
import { searchReader } from './read-search.ts'

const read = searchReader({ texts: ['user', 'status'], numbers: ['offset'] })

test('texts and numbers that the page knows are taken, also as the address writes them', () => {
  expect(read({ user: 7, status: 'ok', offset: '50' })).toEqual({
    ...{ user: '7', status: 'ok', offset: 50 },
  })
})

test('what does not fit or is not known is left out', () => {
  expect(read({ user: '', status: { a: 1 }, offset: -1, other: 'x' })).toEqual({})
  expect(read({ offset: 'many' })).toEqual({})
})
