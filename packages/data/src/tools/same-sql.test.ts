import { expect, test } from 'vitest'
import { createSameSql } from './same-sql.ts'

const sql = `SELECT region, sum(amount) FROM orders WHERE name = 'a  B' GROUP BY 1`
const isSame = createSameSql('files', sql)

test.each([
  ['the same', sql],
  ['other blanks', sql.replaceAll(' FROM', '\n  FROM')],
  ['words in another case', sql.replace('SELECT', 'select').replace('region', 'Region')],
  ['semicolons at the end', `${sql} ; ;\n`],
  ['a comment', `${sql} -- as last month`],
])('%s is the same query', (_, other) => {
  expect(isSame(other)).toBe(true)
})

test.each([
  ['blanks in a text', sql.replace('a  B', 'a B')],
  ['a text in another case', sql.replace('a  B', 'a  b')],
  ['a text with escapes', sql.replace("'a  B'", "E'a  B'")],
  ['a name in quotes', sql.replace('region', '"region"')],
  ['more', `${sql} LIMIT 5`],
  ['what cannot be read', `${sql} '`],
])('%s is another query', (_, other) => {
  expect(isSame(other)).toBe(false)
})
