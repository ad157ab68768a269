import { systemClock } from '@dataagent/guard'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPause } from '../pause.ts'
import { concealIn, concealInPieces } from './conceal-in.ts'
import { createNeedles } from './needles.ts'

const token = 'sk-canary-0123456789'
const needles = createNeedles([token])!
const filler = 'x'.repeat(30_000)
const inPieces = (value: unknown) => concealInPieces(needles, value, createPause(systemClock))

const text = fc.oneof(fc.string(), fc.constant(token), fc.constant(`a ${token} b`))
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.integer(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}))

test('in pieces the same is taken out as at once, wherever it is [A5.3]', async () => {
  const property = fc.asyncProperty(fc.array(value), async (values) => {
    const large = { values, filler, nested: [...values, filler, [filler, { a: values, filler }]] }
    const clean = await inPieces(large)
    expect(clean).toEqual(concealIn(needles, large))
    expect(JSON.stringify(clean)).not.toContain(token)
  })
  await fc.assert(property, { numRuns: 50 })
})

test('of many items each is looked at', async () => {
  const items: unknown[] = Array.from({ length: 2_000 }, (_, n) => ({
    n,
    text: filler.slice(29_000),
  }))
  items[1_999] = { n: token }
  items[700] = [token]
  const clean = (await inPieces(items)) as unknown[]
  expect([clean[700], clean[1_999]]).toEqual([['***'], { n: '***' }])
  expect(clean[5]).toBe(items[5])
})

const number = (count: number) => Array.from({ length: count }, (_, n) => n)
const field = (count: number) => Object.fromEntries(number(count).map((n) => [`key_${n}`, n]))

test.each([
  ['a list', number(50_000), 100],
  ['an object', field(20_000), 10_000],
  ['what lies in one place', [[{ a: [number(50_000)] }]], 100],
  ['many small ones', number(5_000).map((n) => ({ n, list: [n, {}] })), 10],
])('others are let in between the pieces of %s', async (_, large, atLeast) => {
  let rests = 0
  const rest = async () => {
    rests += 1
  }
  expect(await concealInPieces(needles, large, { isDue: () => true, rest })).toBe(large)
  expect(rests).toBeGreaterThan(atLeast)
})

test('what holds none is handed on as it is', async () => {
  const large = { list: Array.from({ length: 9 }, () => filler), more: { filler } }
  expect(await inPieces(large)).toBe(large)
})
