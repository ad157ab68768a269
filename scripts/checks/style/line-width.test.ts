import { expect, test } from 'vitest'
import { inSource } from './test-style.ts'

test('a line over 100 columns is caught in code and in comments, not in literals [D10.2]', async () => {
  const wide = [
    `// ${'word '.repeat(25)}`,
    ` * \`${'word '.repeat(25)}\``,
    `export const sum = ${'one + '.repeat(20)}one`,
  ]
  for (const line of wide) {
    const text = line.startsWith(' *') ? `/**\n${line}\n */\n` : `${line}\n`
    expect(await inSource(text)).toEqual([expect.stringContaining('the limit is 100')])
  }
  expect(await inSource(`export const text = '${'x'.repeat(100)}'\n`)).toEqual([])
  expect(await inSource(`// https://example.com/${'x'.repeat(100)}\n`)).toEqual([])
})
