import { expect, test } from 'vitest'
import { toBars, toPoints } from './chart-points.ts'

test('a line ends at the right, its highest value at the top', () => {
  expect(toPoints([0, 2, 4], 5)).toBe('50,31 75,16 100,1')
})

test('a line of nothing but zeros lies at the bottom', () => {
  expect(toPoints([0, 0], 2)).toBe('0,31 100,31')
})

test('bars stand on what is below them', () => {
  const [below] = toBars([2], 4)
  const [above] = toBars([2], 4, [2])
  expect(below).toEqual({ x: 10, y: 16.5, width: 80, height: 15.5 })
  expect(above).toEqual({ x: 10, y: 1, width: 80, height: 15.5 })
})
