import fc from 'fast-check'
import { expect, test } from 'vitest'
import { samplePoints } from './sample-points.ts'

test('keeps the ends and a spike', () => {
  const xs = Array.from({ length: 10_000 }, (_, i) => i)
  const ys = xs.map((x) => (x === 4_321 ? 1_000 : Math.sin(x / 50)))
  const kept = samplePoints(xs, ys, 200)
  expect(kept).toHaveLength(200)
  expect([kept[0], kept.at(-1)]).toEqual([0, 9_999])
  expect(kept).toContain(4_321)
})

test('chooses points in order, each once, and none without a value', () => {
  const points = fc.array(fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 })), {
    maxLength: 300,
  })
  fc.assert(
    fc.property(points, fc.integer({ min: 3, max: 50 }), (ys, count) => {
      const kept = samplePoints([...ys.keys()], ys, count)
      expect(kept.length).toBeLessThanOrEqual(count)
      expect(kept.every((i, at) => ys[i] !== null && (at === 0 || i > kept[at - 1]!))).toBe(true)
    }),
  )
})
