import { isCode } from '../tree.mjs'

const limit = 100
const comment = /^\s*(?:\/\/|\/?\*)/
/** What no formatter can break: a string, a template, a regular expression. */
const literal = /'[^']{20,}'|"[^"]{20,}"|`|[=(,:]\s?\/\S{20,}/

/**
 * No line of code or comment is over 100 columns, unless it holds a literal or an address that
 * cannot be broken. The formatter sees to the code; it leaves comments alone.
 * @type {import('../findings.mjs').Check}
 */
export function checkLineWidth({ files }) {
  return [...files.values()].filter(isCode).flatMap((file) =>
    file.text.split('\n').flatMap((line, index) => {
      if (line.length <= limit || isUnbreakable(line)) return []
      const message = `${line.length} columns; the limit is ${limit}`
      return [{ file: file.path, line: index + 1, rule: 'width', message }]
    }),
  )
}

function isUnbreakable(/** @type {string} */ line) {
  return line.includes('://') || (!comment.test(line) && literal.test(line))
}
