/**
 * A pattern in the syntax of RE2 that matches exactly what the JavaScript pattern (with the `u`
 * flag) does, or undefined where there is none: lookaround, backreferences, and what is rare.
 */
export function toRe2(pattern: string): string | undefined {
  let out = ''
  for (let at = 0; at < pattern.length; ) {
    const token = readToken(pattern, at)
    if (token === undefined) return undefined
    out += token.re2
    at = token.end
  }
  return out
}

interface Token {
  re2: string
  end: number
}

/** ECMA-262, WhiteSpace and LineTerminator: RE2's own `\s` is ASCII. */
const spaces =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'

function readToken(pattern: string, at: number): Token | undefined {
  const first = pattern[at]!
  if (first === '\\') return readEscape(pattern, at, false)
  if (first === '[') return readClass(pattern, at)
  if (first === '.') return { re2: '[^\\n\\r\\x{2028}\\x{2029}]', end: at + 1 }
  if (first === '(' && pattern[at + 1] === '?') return readGroup(pattern, at)
  return { re2: first, end: at + 1 }
}

function readGroup(pattern: string, at: number): Token | undefined {
  if (pattern[at + 2] === ':') return { re2: '(?:', end: at + 3 }
  const named = /^\(\?<[A-Za-z]\w*>/.exec(pattern.slice(at, at + 64))
  return named ? { re2: '(', end: at + named[0].length } : undefined
}

function readClass(pattern: string, start: number): Token | undefined {
  const negated = pattern[start + 1] === '^'
  let at = start + (negated ? 2 : 1)
  let inner = ''
  while (pattern[at] !== ']') {
    const first = pattern[at]
    if (first === undefined) return undefined
    const token: Token | undefined =
      first === '\\' ? readEscape(pattern, at, true) : { re2: inClass(first), end: at + 1 }
    if (token === undefined) return undefined
    inner += token.re2
    at = token.end
  }
  if (inner === '') return negated ? { re2: '[\\x{0}-\\x{10ffff}]', end: at + 1 } : undefined
  return { re2: `[${negated ? '^' : ''}${inner}]`, end: at + 1 }
}

/** RE2 takes `[:` within a class for a name. */
function inClass(character: string): string {
  return character === '[' ? '\\[' : character
}

function readEscape(pattern: string, at: number, withinClass: boolean): Token | undefined {
  const letter = pattern[at + 1] ?? ''
  const end = at + 2
  if (letter === 's') return { re2: withinClass ? spaces : `[${spaces}]`, end }
  if (letter === 'S') return withinClass ? undefined : { re2: `[^${spaces}]`, end }
  if (letter === 'b' || letter === 'B') return withinClass ? undefined : { re2: `\\${letter}`, end }
  if ('dDwWntfrv'.includes(letter)) return { re2: `\\${letter}`, end }
  if (/[^\sA-Za-z0-9]/.test(letter)) return { re2: `\\${letter}`, end }
  return readCodePoint(pattern.slice(at, at + 16), at) ?? readCategory(pattern, at)
}

function readCodePoint(head: string, at: number): Token | undefined {
  const found = /^\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})/.exec(head)
  const digits = found?.[1] ?? found?.[2] ?? found?.[3]
  if (!found || !digits) return undefined
  const code = Number.parseInt(digits, 16)
  if (code >= 0xd800 && code <= 0xdfff) return undefined
  return { re2: `\\x{${digits}}`, end: at + found[0].length }
}

/** General categories by their short names, which both know alike. */
function readCategory(pattern: string, at: number): Token | undefined {
  const found = /^\\[pP]\{(?:L[ultmo]?|N[dlo]?|P[cdseifo]?|Z[slp]?)\}/.exec(
    pattern.slice(at, at + 8),
  )
  return found ? { re2: found[0], end: at + found[0].length } : undefined
}
