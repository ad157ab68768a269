import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { JsonObject } from '@dataagent/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Validation } from './contract.ts'
import { createValidator } from './validator.ts'

/**
 * 50 ms is the promise. On a machine that is busy otherwise the loop stands without having worked:
 * only what both clocks say is ours.
 */
const lagMax = 250

const validator = createValidator({ limits: { bytes: 4 * 1024 * 1024 } })
afterAll(() => validator.close())

/** The first thread is started before anything is measured. */
beforeAll(async () => {
  await validator.validate('warm', { pattern: '(?=a)' }, 'a')
})

interface Held {
  validation: Validation
  /** The longest time for which the loop could not turn. */
  lag: number
  /** Processor time of this thread, in all. */
  used: number
}

async function withLag(work: () => Validation | Promise<Validation>): Promise<Held> {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const before = process.threadCpuUsage()
  const began = performance.now()
  const pending = work()
  const atOnce = performance.now() - began
  const validation = await pending
  const { user, system } = process.threadCpuUsage(before)
  delay.disable()
  return { validation, lag: Math.max(atOnce, delay.max / 1e6), used: (user + system) / 1e3 }
}

let worst = 0
let busiest = 0
afterAll(() => {
  console.log(`the loop stood for ${worst.toFixed(0)} ms, and worked for ${busiest.toFixed(0)} ms`)
})

let keys = 0
function drop(schema: unknown, value: unknown) {
  keys += 1
  const key = `bomb ${keys}`
  return withLag(() => validator.validate(key, schema as JsonObject, value))
}

/** Each level asks for the one below twice. */
function unionChain(levels: number): JsonObject {
  const $defs: JsonObject = { [`n${levels}`]: { type: 'string' } }
  for (let level = 0; level < levels; level++) {
    const below = { $ref: `#/$defs/n${level + 1}` }
    $defs[`n${level}`] = { anyOf: [below, below] }
  }
  return { $defs, $ref: '#/$defs/n0' }
}

/** As above, written out. */
function unionTree(levels: number): JsonObject {
  if (levels === 0) return { type: 'string' }
  return { anyOf: [unionTree(levels - 1), unionTree(levels - 1)] }
}

/** Small, but each level of the value is checked twice as often as the one above. */
const recursiveUnion = {
  anyOf: [
    { type: 'object', properties: { next: { $ref: '#' } }, required: ['a'] },
    { type: 'object', properties: { next: { $ref: '#' } }, required: ['b'] },
  ],
}

function nested(levels: number): unknown {
  let value: unknown = {}
  for (let level = 0; level < levels; level++) value = { next: value, a: 1, b: 1 }
  return value
}

const objects = Array.from({ length: 4_000 }, (_, id) => ({ id, list: [id], name: `n${id}` }))
const longText = `${'a'.repeat(200_000)}!`
const wide = Object.fromEntries(
  Array.from({ length: 1_900 }, (_, i) => [`p${i}`, { minLength: 1 }]),
)
const manyPatterns = Object.fromEntries(
  Array.from({ length: 800 }, (_, i) => [`^(x${i}|\\p{L}{0,30})+$`, { type: 'string' }]),
)

describe('schemas that are bombs leave the event loop free [T14]', () => {
  test.each<[string, unknown, unknown, string]>([
    ['nested repeats', { pattern: '^(a+)+$' }, `${'a'.repeat(28)}!`, 'invalid'],
    ['nested repeats over a long text', { pattern: '^(a+)+$' }, longText, 'any'],
    [
      'nested repeats behind a lookahead',
      { pattern: '^(?=a)(a+)+$' },
      `${'a'.repeat(40)}!`,
      'failed',
    ],
    ['backreferences', { pattern: '^(a+)+\\1$' }, `${'a'.repeat(40)}!`, 'failed'],
    ['a pattern of 12,000 characters', { pattern: '(a|b)*'.repeat(2_000) }, 'c', 'any'],
    ['heavy patterns', heavyPatterns(), 'a'.repeat(4_000), 'any'],
    ['a pattern for names', { patternProperties: { '^(a+)+$': false } }, { [longText]: 1 }, 'any'],
    ['thousands of patterns', { patternProperties: manyPatterns }, { [longText]: 1 }, 'any'],
    ['a chain of unions', unionChain(18), 1, 'failed'],
    ['a chain of unions below the limit', unionChain(11), 1, 'any'],
    ['unions written out', unionTree(9), 1, 'any'],
    ['a union that recurs', recursiveUnion, nested(60), 'failed'],
    ['unique items', { type: 'array', uniqueItems: true }, objects, 'ok'],
    ['1,900 properties', { type: 'object', properties: wide }, { p1: '' }, 'invalid'],
    ['a megabyte of text', { description: 'x'.repeat(5 * 1024 * 1024) }, 1, 'failed'],
    ['too deep', nestedNot(200), 1, 'failed'],
    ['an e-mail address', { format: 'email' }, `${'a.'.repeat(100_000)}@`, 'invalid'],
    ['a list of choices for many', manyChoices(), Array(20_000).fill(-1), 'any'],
    ['conditions within conditions', conditions(30), {}, 'any'],
  ])('%s', async (_, schema, value, status) => {
    const { validation, lag, used } = await drop(schema, value)
    if (status !== 'any') expect(validation.status).toBe(status)
    worst = Math.max(worst, lag)
    busiest = Math.max(busiest, used)
    expect(Math.min(lag, used)).toBeLessThan(lagMax)
  })

  test('a check in a worker that takes too long says so', async () => {
    const { validation } = await drop({ pattern: '^(?=a)(a+)+$' }, `${'a'.repeat(50)}!`)
    expect(validation).toEqual({
      status: 'failed',
      message: expect.stringContaining('took too long'),
    })
  })

  test('others are checked in time while one key is nothing but bombs [T14]', async () => {
    const bomb = { pattern: '^(?=a)(a+)+$' }
    const bad = `${'a'.repeat(50)}!`
    const bombs = Array.from({ length: 3 }, () => validator.validate('bomb', bomb, bad))
    const good = { pattern: '^(?=b)b+$' }
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, i) => validator.validate(`good ${i}`, good, 'bbb')),
    )
    expect(results).toEqual(Array(5).fill({ status: 'ok' }))
    expect((await Promise.all(bombs)).every(({ status }) => status === 'failed')).toBe(true)
  })

  test('a queue that is full refuses at once', async () => {
    const bomb = { pattern: '^(?=a)(a+)+$' }
    const own = createValidator()
    const all = Array.from({ length: 40 }, () => own.validate('k', bomb, 'a'))
    const last = await all[39]
    expect(last).toMatchObject({ status: 'failed', message: expect.stringContaining('wait') })
    await own.close()
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses).toHaveLength(40)
  })
})

function nestedNot(levels: number): JsonObject {
  let schema: JsonObject = {}
  for (let level = 0; level < levels; level++) schema = { not: schema }
  return schema
}

function heavyPatterns(): JsonObject {
  const patterns = ['(?:[\\p{L}\\p{N}]{20}){20}$', '(?:a?){200}a{200}$', '.*a.{100}$']
  return { allOf: Array.from({ length: 36 }, (_, i) => ({ pattern: `${i}|${patterns[i % 3]}` })) }
}

function manyChoices(): JsonObject {
  return { items: { enum: Array.from({ length: 10_000 }, (_, index) => index) } }
}

function conditions(levels: number): JsonObject {
  let schema: JsonObject = { type: 'string' }
  for (let level = 0; level < levels; level++) {
    // biome-ignore lint/suspicious/noThenProperty: the keyword is called so
    schema = { if: { type: 'object' }, then: schema, else: { $ref: '#/$defs/a' } }
  }
  return { ...schema, $defs: { a: { type: 'number' } } }
}
