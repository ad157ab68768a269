/** What cannot hold the ORDER BY of the query itself: texts, names in quotes, comments. */
const aside = new RegExp(
  [
    String.raw`'(?:[^'\\]|''|\\.)*'`,
    '"(?:[^"]|"")*"',
    '`(?:[^`]|``)*`',
    String.raw`--[^\n]*`,
    // What is not closed goes on to the end, and is not looked for again from its next beginning.
    String.raw`\/\*[\s\S]*?(?:\*\/|$)`,
    String.raw`\$(\w*)\$[\s\S]*?(?:\$\1\$|$)`,
  ].join('|'),
  'g',
)

/** Whether the query, not only a part of it in parentheses, has an ORDER BY. */
export function isOrdered(sql: string): boolean {
  let depth = 0
  let top = ''
  for (const character of sql.replace(aside, ' ')) {
    if (character === '(') depth += 1
    if (depth === 0) top += character
    if (character === ')') {
      depth = Math.max(0, depth - 1)
      top += ' '
    }
  }
  return /\border\s+by\b/i.test(top)
}
