import { expect, test } from 'vitest'
import { endingOf, join, nameOf, toCrumbs } from './paths.ts'
import { kindOf } from './preview/kind-of.ts'

test('a path is the folders on the way to it', () => {
  expect(toCrumbs(undefined)).toEqual([])
  expect(toCrumbs('uploads/2026')).toEqual([
    { name: 'uploads', path: 'uploads' },
    { name: '2026', path: 'uploads/2026' },
  ])
  expect(join(undefined, 'a.csv')).toBe('a.csv')
  expect(join('uploads', 'a.csv')).toBe('uploads/a.csv')
  expect(nameOf('uploads/a.csv')).toBe('a.csv')
})

test('a file is shown by its ending', () => {
  expect(endingOf('a.b/c')).toBe('')
  expect(endingOf('.env')).toBe('')
  expect(kindOf('x/Photo.PNG')).toBe('image')
  expect(kindOf('data.csv')).toBe('table')
  expect(kindOf('README.md')).toBe('markdown')
  expect(kindOf('a.json')).toBe('json')
  expect(kindOf('LICENSE')).toBe('code')
  expect(kindOf('a.zip')).toBe('none')
})
