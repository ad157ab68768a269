import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Words } from './words.ts'

const pages = fileURLToPath(new URL('..', import.meta.url))
const schema = fileURLToPath(new URL('../../../../packages/schema/src', import.meta.url))

const read = (folder: string, pattern: string) =>
  new Map(
    globSync(pattern, { cwd: folder })
      .filter((path) => !/\.test\.|(^|\/)test-/.test(path))
      .map((path) => [path, readFileSync(`${folder}/${path}`, 'utf8')]),
  )
const sources = read(pages, '**/*.{ts,tsx}')
/** What the server sends picks a word too. */
const sent = [...read(schema, '**/*.ts').values()].join('\n')

const wordFiles = [...sources.keys()].filter((path) => path.endsWith('-words.ts'))

test.each(wordFiles)('every word of %s is read somewhere', async (path) => {
  const exported: Record<string, unknown> = await import(`${pages}/${path}`)
  const unread = Object.entries(exported).flatMap(([name, words]) =>
    isWords(words) ? Object.keys(words.en).filter((word) => !isRead(name, word)) : [],
  )
  expect(unread).toEqual([])
})

function isRead(name: string, word: string): boolean {
  const readers = [...sources.values()].filter((text) => new RegExp(`\\b${name}\\b`).test(text))
  const asName = new RegExp(`\\b${word}\\b(?!: |\\?:)|\\.${word}\\b`)
  return readers.some((text) => asName.test(text)) || sent.includes(`'${word}'`)
}

function isWords(value: unknown): value is Words<object> {
  return typeof value === 'object' && value !== null && 'en' in value && 'zh' in value
}
