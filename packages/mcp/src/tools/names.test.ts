import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNameTable } from './name-table.ts'
import { toSdkName, toWireName } from './names.ts'

test.each([
  ['mcp.{server}.{tool}', 'mcp.fs.read'],
  ['{tool}@{server}', 'read@fs'],
  ['{server}/{server}/{tool}', 'fs/fs/read'],
  ['{Server}{tool}', '{Server}read'],
])('the template %s gives the name %s', (template, name) => {
  expect(toSdkName(template, 'fs', 'read')).toBe(name)
})

test('what is filled in is not read as a template again', () => {
  expect(toSdkName('mcp.{server}.{tool}', '{tool}', '$&{server}')).toBe('mcp.{tool}.$&{server}')
})

describe('names on the wire', () => {
  test.each([
    ['read_file', 'read_file'],
    ['mcp__fs__read-file', 'mcp__fs__read-file'],
    ['x'.repeat(64), 'x'.repeat(64)],
    ['mcp.fs.read_file', 'mcp--fs--read_file'],
    ['a.b-c.d_e', 'a--b-c--d_e'],
  ])('%s is %s', (name, wireName) => {
    expect(toWireName(name)).toBe(wireName)
  })

  test.each([
    ['a--b', /^a--b---[0-9a-v]{12}$/],
    ['a..b', /^a----b---[0-9a-v]{12}$/],
    ['a.-b', /^a---b---[0-9a-v]{12}$/],
    ['', /^---[0-9a-v]{12}$/],
    ['mcp.数据库.查 询', /^mcp--___--___---[0-9a-v]{12}$/],
    [`mcp.fs.${'long_'.repeat(20)}end`, /^[a-z_]{49}---[0-9a-v]{12}$/],
    [`${'a'.repeat(31)}.${'b'.repeat(32)}`, /^a{15}--b{32}---[0-9a-v]{12}$/],
  ])('%j keeps what can be read of it and gets a hash', (name, wireName) => {
    expect(toWireName(name)).toMatch(wireName)
    expect(toWireName(name).length).toBeLessThanOrEqual(64)
  })

  test('a name has the same wire name in every process', () => {
    expect(toWireName('mcp.fs.读')).toBe('mcp--fs--_---9bf8vgs2b631')
  })
})

/** Latin, Cyrillic and Greek letters that look alike, separators, and halves of a character. */
const char = fc.constantFrom(...'aаα-._/ 中é\ud800\udfff\uFFFD')
const shortName = fc.string({ unit: char, maxLength: 5 })
const longName = fc
  .tuple(shortName, fc.constantFrom('x', 'long.', 'é'), fc.nat({ max: 100 }))
  .map(([end, unit, length]) => unit.repeat(100).slice(0, length) + end)
const baseName = fc.oneof(shortName, longName, fc.string({ unit: 'binary', maxLength: 100 }))

/** Names, and among them the wire names of others, and the wire names of those. */
const catalogue = fc
  .uniqueArray(baseName, { minLength: 1, maxLength: 40 })
  .map((names) => [
    ...new Set(names.flatMap((name) => [name, toWireName(name), toWireName(toWireName(name))])),
  ])

describe('over random catalogues', () => {
  const numRuns = longCount(1_000, 30_000)
  const timeout = longCount(30_000, 1_200_000)

  test('every wire name is safe, and no two names share one', { timeout }, () => {
    const check = (names: string[]) => {
      const wireNames = names.map(toWireName)
      for (const wireName of wireNames) expect(wireName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      expect(new Set(wireNames).size).toBe(names.length)
    }
    fc.assert(fc.property(catalogue, check), { numRuns })
  })

  test('a safe name without two hyphens in a row stays as it is', { timeout }, () => {
    const safe = fc
      .string({ unit: fc.constantFrom(...'azAZ09_-'), minLength: 1, maxLength: 64 })
      .filter((name) => !name.includes('--'))
    fc.assert(
      fc.property(safe, (name) => toWireName(name) === name),
      { numRuns },
    )
  })

  test('a table finds by name and by wire name what was put there, in any order', {
    timeout,
  }, () => {
    const check = (names: string[]) => {
      const table = createNameTable<string>()
      const kept = names.filter((name) => table.holderOf(name) === undefined && put(name))
      function put(name: string): true {
        table.add(name, name)
        return true
      }
      for (const name of kept) {
        expect(table.get(name)).toBe(name)
        expect(table.get(toWireName(name))).toBe(name)
      }
      const left = kept.filter((name, index) => index % 2 === 0 || !table.remove(name))
      expect(table.values()).toEqual(left)
      for (const name of kept) {
        expect(table.get(toWireName(name))).toBe(left.includes(name) ? name : undefined)
      }
    }
    const shuffled = catalogue.chain((names) => fc.shuffledSubarray(names, { minLength: 1 }))
    fc.assert(fc.property(shuffled, check), { numRuns })
  })
})
