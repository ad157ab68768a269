import { longCount } from '@dataagent/testkit'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { workspaceDirName } from './dir-name.ts'

const anyId = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: fc.constantFrom('a', 'A', '1', '-', '_', '.', '~', '/', ' '), minLength: 1 }),
  fc.constantFrom('\ud800', '\udc00', '\ufffd', 'con', 'CON', '..', '.', 'é', 'e\u0301', 'ı', 'I'),
)
const options = { numRuns: longCount(2_000, 100_000) }

test('a plain id is its own directory name', () => {
  expect(['u1', 'alice', 'u_17-b'].map(workspaceDirName)).toEqual(['u1', 'alice', 'u_17-b'])
})

test('any other id keeps a readable beginning', () => {
  expect(workspaceDirName('Alice@Example.com')).toMatch(/^alice-example-com~[0-9a-f]{64}$/)
})

test('an empty id is refused', () => {
  expect(() => workspaceDirName('')).toThrow(/empty/)
})

test('every id gives one safe name on every file system', () => {
  const isSafe = (id: string) => {
    expect(workspaceDirName(id)).toMatch(/^[a-z0-9_~-]{1,120}$/)
    expect(workspaceDirName(id)).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)$/)
  }
  fc.assert(fc.property(anyId, isSafe), options)
})

test('two ids never share a name, even where case is ignored', () => {
  const isInjective = (a: string, b: string) => {
    const [first, second] = [a, b].map((id) => workspaceDirName(id).toLowerCase())
    expect(first === second).toBe(a === b)
  }
  const pair = fc.oneof(
    fc.tuple(anyId, anyId),
    anyId.map((id) => [id, id.toUpperCase()] as [string, string]),
    anyId.map((id) => [id, workspaceDirName(id)] as [string, string]),
    anyId.map((id) => [id, id.normalize('NFD')] as [string, string]),
  )
  fc.assert(
    fc.property(pair, ([a, b]) => isInjective(a, b)),
    options,
  )
})
