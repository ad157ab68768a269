import { systemClock } from '@dataagent/guard'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPause } from './pause.ts'
import { writeJson } from './write-json.ts'

const write = (value: unknown) => writeJson(value, createPause(systemClock))
const filler = 'x'.repeat(30_000)

test('what is large is written as JSON.stringify writes it', async () => {
  const property = fc.asyncProperty(fc.array(fc.jsonValue()), async (values) => {
    const large = { values, filler, nested: [[...values, filler], { [filler.slice(9)]: values }] }
    expect(await write(large)).toBe(JSON.stringify(large))
  })
  await fc.assert(property, { numRuns: 50 })
})

test.each([
  ['fields that are undefined', { a: undefined, filler, b: [undefined, () => 1, filler] }],
  ['what writes itself', { at: new Date(0), filler, list: [new Date(0), filler, 1] }],
  ['many items', Array.from({ length: 40_000 }, (_, n) => n / 7)],
  ['no items', [[], {}, filler, [filler, []]]],
  ['nothing', undefined],
])('so is %s', async (_, value) => {
  expect(await write(value)).toBe(JSON.stringify(value))
})

const number = (count: number) => Array.from({ length: count }, (_, n) => n)
const field = (count: number) => Object.fromEntries(number(count).map((n) => [`key_${n}`, n]))

test.each([
  ['a list', number(50_000), 100],
  ['an object', field(20_000), 10_000],
  ['what lies in one place', [[{ a: [number(50_000)] }]], 100],
  ['many small ones', number(5_000).map((n) => ({ n, list: [n, {}] })), 10],
])('others are let in between the pieces of %s', async (_, value, atLeast) => {
  let rests = 0
  const rest = async () => {
    rests += 1
  }
  expect(await writeJson(value, { isDue: () => true, rest })).toBe(JSON.stringify(value))
  expect(rests).toBeGreaterThan(atLeast)
})

test('what JSON cannot hold is refused', async () => {
  const ring: Record<string, unknown> = { filler }
  ring.self = [ring]
  await expect(write(ring)).rejects.toThrow('circular')
  await expect(write({ filler, big: 1n })).rejects.toThrow('BigInt')
})
