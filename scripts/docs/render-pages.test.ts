import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { headingsOf, testLinks } from '../readme/describe-page.ts'
import { repository } from '../setup/paths.mjs'
import { renderPages } from './render-pages.ts'

const pages = Object.entries(renderPages())

describe.each(pages)('%s', (path, text) => {
  test('is what the source says; `npm run docs` renews it', async () => {
    expect(await readFile(join(repository, path), 'utf8')).toBe(text)
  })

  test('has a heading for each thing', () => {
    const headings = headingsOf({ text }).map((heading) => heading.toLowerCase())
    expect(headings.filter((heading, at) => headings.indexOf(heading) !== at)).toEqual([])
  })
})

for (const [title, text] of pages) {
  if (text.includes('](')) testLinks({ title, dir: 'docs', text })
}
