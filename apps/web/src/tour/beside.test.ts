import { expect, test } from 'vitest'
import { beside } from './beside.ts'

const screen = { width: 1000, height: 800 }
const box = { width: 300, height: 150 }

test('it stands above what is low, in the middle', () => {
  const place = { top: 700, left: 400, width: 200, height: 50 }
  expect(beside(place, box, screen)).toEqual({ top: 538, left: 350 })
})

test('below what is high, and never beyond the edge', () => {
  const place = { top: 20, left: 950, width: 40, height: 30 }
  expect(beside(place, box, screen)).toEqual({ top: 62, left: 688 })
})
