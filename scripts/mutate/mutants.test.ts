import { expect, test, vi } from 'vitest'
import { mutantsOf, sampleOf, withMutant } from './mutants.mjs'
import { toMarked } from './reach.mjs'

const changesOf = (source: string) =>
  mutantsOf('a.ts', source).map((mutant) => withMutant(source, mutant))

test.each([
  ['if (a === b) go', ['if (true) go', 'if (false) go']],
  ['x = a ? b : c', ['x = true ? b : c', 'x = false ? b : c']],
  ['x = a < b', ['x = (a) <= (b)']],
  ['x = a !== b', ['x = (a) === (b)']],
  ['x = a && b', ['x = (a) || (b)']],
  ['x = a ?? b', ['x = a']],
  ['x = !a', ['x = a']],
  ['x = true', ['x = false']],
  ['x = now - then', ['x = (now) + (then)']],
  ['check(a)', ['{}']],
  ['await check(a)', ['{}']],
  ['function f() { check; return }', ['function f() { check; {} }']],
  ['try { a } catch (e) { throw e }', ['try { a } catch (e) { {} }']],
  ['x = a.some(b)', ['x = a.every(b)']],
  ['x = a?.b?.[c]', ['x = a.b?.[c]', 'x = a?.b[c]']],
  ['x = a(b?.c)?.d', ['x = a(b?.c).d', 'x = a(b.c)?.d']],
  ['x = /^a$/i', ['x = /a$/i', 'x = /^a/i', 'x = /^a$/']],
  ["x = ['a']", ["x = ['']"]],
  ["x = { 'cache-control': 'no-store' }", ["x = { 'cache-control': '' }"]],
  ["x = headers.get('host')", ["x = headers.get('')"]],
])('%s becomes %j', (source, changed) => {
  expect(changesOf(source)).toEqual(changed)
})

test.each([
  "type A = 'a' | true",
  'let a: true = b as true',
  "import { a } from 'a'",
  "export { a } from 'a'",
  "x = { message: 'it failed' }",
  "x = new AppError('refused', { retryable: true })",
  'log.warn(a && b)',
  'class A extends B { constructor() { super() } }',
  'x = a.toString()',
])('%s has nothing to change', (source) => {
  expect(changesOf(source)).toEqual([])
})

test('what fills a branch is not removed besides its condition', () => {
  expect(changesOf('if (a) throw b')).toEqual(['if (true) throw b', 'if (false) throw b'])
  expect(changesOf('if (a) { throw b }')).toEqual([
    'if (true) { throw b }',
    'if (false) { throw b }',
  ])
})

test('a sample is the same each time, and another with another seed', () => {
  const source = Array.from({ length: 50 }, (_, index) => `x${index} = true`).join('\n')
  const linesOf = (seed: string) =>
    sampleOf(mutantsOf('a.ts', source), 5, seed).map(({ line }) => line)
  expect(linesOf('1')).toHaveLength(5)
  expect(linesOf('1')).toEqual(linesOf('1'))
  expect(linesOf('1')).not.toEqual(linesOf('2'))
})

test('marked code does what it did, and tells which changes it would have met', () => {
  const source = [
    'const met = []',
    'met.push(1)',
    'a?.b && met.push(2)',
    'if (a !== undefined && a.b) met.push(3)',
    'for (const x of a?.c ?? [4]) met.push(x)',
    'return met',
  ].join('\n')
  const numbered = mutantsOf('a.js', source.replace('return met', '')).map((mutant, id) => ({
    id,
    mutant,
  }))
  const reached: number[] = []
  vi.stubGlobal('dataagentReached', (id: number) => reached.push(id))
  const run = new Function('a', toMarked(source, numbered))
  expect(run(undefined)).toEqual([1, 4])
  const unmet = numbered.filter(({ id }) => !reached.includes(id)).map(({ mutant }) => mutant.what)
  expect(unmet).toEqual(['met.push(3) removed'])
  expect(run({ b: true, c: [] })).toEqual([1, 2, 3])
})
