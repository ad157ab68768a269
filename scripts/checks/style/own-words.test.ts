import { describe, expect, test } from 'vitest'
import { findingsOf, inSource } from './test-style.ts'

describe('the project speaks of itself only', () => {
  test.each([
    ['a path of the machine', ['see ', 'work', 'main/a.ts']],
    ['a home directory', ['in ', 'root', '.npmrc']],
  ])('%s is caught', async (_what, parts) => {
    expect(await findingsOf({ 'docs/a.md': `${parts.join('/')}\n` })).toEqual([
      'docs/a.md:1 names a path of one machine',
    ])
  })

  test('a registry is caught in any file', async () => {
    const address = ['https://registry', 'npmjs', 'org/zod'].join('.')
    expect(await findingsOf({ 'docs/a.md': address })).toEqual([
      'docs/a.md:1 names a package registry',
    ])
    expect(await findingsOf({ '.npmrc': 'fund=false\nregistry=http://localhost' })).toEqual([
      '.npmrc:2 names a package registry',
    ])
  })

  test('work left undone is caught in code', async () => {
    expect(await inSource(`// ${['TO', 'DO'].join('')} later\n`)).toHaveLength(1)
    expect(await inSource(`// ${['FIX', 'ME'].join('')}\n`)).toHaveLength(1)
  })
})
