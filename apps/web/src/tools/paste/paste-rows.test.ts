import type { ImportPreview } from '@dataagent/schema'
import { describe, expect, test } from 'vitest'
import {
  getAt,
  missingIn,
  setAt,
  toConfig,
  toRows,
  toSummary,
  type UsableRow,
} from './paste-rows.ts'

const preview: ImportPreview = {
  form: 'mcpServers',
  entries: [
    {
      ...{
        status: 'new',
        name: 'files',
        warnings: [],
        secrets: [{ path: 'env.KEY', kind: 'needed' }],
      },
      config: { name: 'files', command: 'npx', args: ['-y', 'x'], env: { KEY: '<key>', A: 'b' } },
    },
    {
      ...{ status: 'duplicate', name: 'docs', proposed_name: 'docs-2', warnings: [], secrets: [] },
      config: { name: 'docs', url: 'https://a.example/mcp' },
    },
    { status: 'invalid', name: 'bad', message: 'it does not fit', errors: [] },
  ],
}

test('what is new is taken, a name of before is not and gets another, the rest is shown', () => {
  const [files, docs, bad] = toRows(preview)
  expect(files).toMatchObject({ kind: 'usable', isIncluded: true, name: 'files' })
  expect(docs).toMatchObject({ kind: 'usable', isIncluded: false, name: 'docs-2' })
  expect(bad).toMatchObject({ kind: 'unusable' })
})

test('a placeholder is missing until it is filled in, and goes to its place', () => {
  const row = toRows(preview)[0] as UsableRow
  expect(missingIn(row)).toEqual(['env.KEY'])
  const filled = { ...row, filled: { 'env.KEY': ' s3cret ' }, name: 'mine' }
  expect(missingIn(filled)).toEqual([])
  expect(toConfig(filled)).toMatchObject({ name: 'mine', env: { KEY: 's3cret', A: 'b' } })
})

test('of a header with its scheme the token alone is written', () => {
  const entry = {
    ...{ status: 'new' as const, name: 'a', warnings: [] },
    secrets: [{ path: 'headers.Authorization', kind: 'needed' as const }],
    config: { name: 'a', url: 'https://a.example', headers: { Authorization: 'Bearer <token>' } },
  }
  const row = toRows({ form: 'url', entries: [entry] })[0] as UsableRow
  const filled = { ...row, filled: { 'headers.Authorization': 'abc' } }
  expect(toConfig(filled)).toMatchObject({ headers: { Authorization: 'Bearer abc' } })
})

describe('a path', () => {
  const config = {
    ...{ name: 'a', command: 'x', args: ['p', 'q'], env: { K: '1' }, url: 'u' },
    headers: { 'X-Key': 'h' },
  } as never
  test.each([
    ['env.K', '1'],
    ['args[1]', 'q'],
    ['headers["X-Key"]', 'h'],
    ['url', 'u'],
    ['env.none', ''],
  ])('%s is found and set', (path, value) => {
    expect(getAt(config, path)).toBe(value)
    expect(getAt(setAt(config, path, 'new'), path)).toBe('new')
  })
})

test('a summary is the command line or the address', () => {
  expect(toSummary({ name: 'a', command: 'npx', args: ['-y', 'x'] })).toBe('npx -y x')
  expect(toSummary({ name: 'a', url: 'https://a.example' })).toBe('https://a.example')
})
