import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { rowsOf } from './readme/page-blocks.ts'
import { repository } from './setup/paths.mjs'

const folder = join(repository, 'docs/decisions')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const files = readdirSync(folder).filter((file) => file !== 'README.md')

/** As the index promises. */
describe.each(files)('%s', (file) => {
  const [title, , status = ''] = read(file).split('\n')
  const [, date] = /^(\d{4}-\d\d-\d\d)-[a-z0-9-]+\.md$/.exec(file) ?? []

  test('has its date and status below its title', () => {
    expect(title).toMatch(/^# \S/)
    expect(status).toMatch(/^\*\*Date\*\* \S+ · (?:accepted|replaced by \[[^\]]+\]\(\S+\.md\))/)
    expect(status.split(' ')[1]).toBe(date)
  })

  test.each(['Context', 'Evidence', 'Decision'])('has its part: %s', (part) => {
    expect(read(file)).toMatch(new RegExp(`^\\*\\*${part}\\b[^*]*\\*\\*`, 'm'))
  })

  test('is in the index', () => {
    const rows = rowsOf(read('README.md')).filter(([, link]) => link?.endsWith(`](${file})`))
    expect(rows).toEqual([[date, expect.stringMatching(/^\[\S.*\]/)]])
  })
})
