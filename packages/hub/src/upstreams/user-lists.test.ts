import { expect, test } from 'vitest'
import { createUserLists } from './user-lists.ts'

const toTools = (...names: string[]) => names.map((name) => ({ name }))

test('all that any user sees is there, whoever came last', () => {
  const lists = createUserLists()
  expect(lists.set('ann', toTools('read', 'write'))).toEqual(toTools('read', 'write'))
  expect(lists.set('bob', toTools('read'))).toEqual(toTools('read', 'write'))
  expect(lists.set('ann', toTools('read'))).toEqual(toTools('read'))
})

test('of two definitions of one name the first stays as long as a user sees it', () => {
  const lists = createUserLists()
  const [one, other] = [[{ name: 'a', description: 'one' }], [{ name: 'a', description: 'other' }]]
  lists.set('ann', one)
  expect(lists.set('bob', other)).toEqual(one)
  expect(lists.set('ann', other)).toEqual(other)
})
