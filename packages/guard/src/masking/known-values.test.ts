import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { createKnownValues } from './known-values.ts'

describe.each([
  ['beginning', (id: string) => `Bearer ${id}`],
  ['end', (id: string) => `${id}, and so say all of us`],
  ['beginning and end', (id: string) => `-----BEGIN KEY-----${id}-----END KEY-----`],
])('secrets with the same %s', (_, toSecret) => {
  const create = (count: number) => Array.from({ length: count }, () => toSecret(randomUUID()))

  test('are compared with a text a few times at each place, however many they are', () => {
    const known = createKnownValues()
    for (const secret of create(3_000)) known.add(secret)
    const others = create(500)
    using startsWith = vi.spyOn(String.prototype, 'startsWith')
    const text = others.join('\n')
    expect(known.replaceIn(text, '***')).toBe(text)
    expect(startsWith.mock.calls.length).toBeLessThan(others.length * 200)
  })

  test('are all found, and none that was removed', () => {
    const known = createKnownValues()
    const secrets = create(300)
    for (const secret of secrets) known.add(secret)
    const found = secrets.map((secret) => known.replaceIn(`<${secret}>`, '***'))
    expect(found).toEqual(secrets.map(() => '<***>'))
    for (const secret of secrets.slice(1)) known.remove(secret)
    const text = secrets.join('\n')
    expect(known.replaceIn(text, '***')).toBe(['***', ...secrets.slice(1)].join('\n'))
  })
})

test('thousands of secrets that begin alike are added and removed in their own time', () => {
  const known = createKnownValues()
  const secrets = Array.from({ length: 20_000 }, (_, i) => `Bearer ${i}-${i * 7919}`)
  const started = performance.now()
  for (const secret of secrets) known.add(secret)
  for (const secret of secrets) known.remove(secret)
  expect(performance.now() - started).toBeLessThan(15_000)
})
