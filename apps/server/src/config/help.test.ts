import { expect, test } from 'vitest'
import { formatHelp } from './help.ts'
import { fields } from './names.ts'
import { langs } from './text.ts'

test.each(langs)('help in %s lists every setting with flag, variable and default', (lang) => {
  const help = formatHelp(lang)
  const missing = fields.filter(({ flag, env }) => !help.includes(`${flag}`) || !help.includes(env))
  expect(missing).toEqual([])
  expect(help).toMatch(/DATAAGENT_PORT {2}\[.+: 8000\]/)
})

test('every setting has a description in each language and a name of its own', () => {
  for (const { name, about, expected } of fields) {
    expect([name, about.en, about.zh, expected.en, expected.zh]).not.toContain('')
  }
  expect(new Set(fields.map(({ env }) => env)).size).toBe(fields.length)
})
