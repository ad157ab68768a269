import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { renderReference } from './reference.ts'

test('docs/configuration.md is what the schema says; `npm run docs` renews it', () => {
  const page = new URL('../../../../docs/configuration.md', import.meta.url)
  expect(readFileSync(page, 'utf8')).toBe(renderReference())
})
