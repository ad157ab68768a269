/** Variables of the process, secrets included. */
export type Variables = Readonly<Record<string, string | undefined>>

/** What `${…}` in a text became, or the reference that it cannot become. */
export type Expansion =
  | { status: 'ok'; text: string }
  | { status: 'missing' | 'malformed'; name: string }

/**
 * One `${NAME}` or `${NAME:-default}` of a text; `env:` before the name is how editors write it.
 */
export interface Reference {
  name: string
  fallback: string | undefined
}

type Piece = string | Reference | { malformed: string }

/**
 * Puts variables in the place of `${NAME}`; the default of `${NAME:-default}` is for one that is
 * unset or empty. `$${` is a plain `${`. What a variable holds is not read for references again.
 */
export function expand(text: string, variables: Variables): Expansion {
  const parts: string[] = []
  for (const piece of piecesOf(text)) {
    if (typeof piece === 'string') parts.push(piece)
    else if ('malformed' in piece) return { status: 'malformed', name: piece.malformed }
    else {
      const value = resolveReference(piece, variables)
      if (value === undefined) return { status: 'missing', name: piece.name }
      parts.push(value)
    }
  }
  return { status: 'ok', text: parts.join('') }
}

/** The variables that a text asks for. */
export function referencesOf(text: string): Reference[] {
  return piecesOf(text).filter(
    (piece): piece is Reference => typeof piece !== 'string' && 'name' in piece,
  )
}

function resolveReference({ name, fallback }: Reference, variables: Variables): string | undefined {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined
  return fallback === undefined ? value : value || fallback
}

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < text.length; ) {
    const start = text.indexOf('${', at)
    const isEscaped = start > at && text[start - 1] === '$'
    const plainEnd = start === -1 ? text.length : start
    pieces.push(text.slice(at, isEscaped ? start - 1 : plainEnd))
    if (start === -1) break
    const end = isEscaped ? start + 1 : text.indexOf('}', start)
    pieces.push(isEscaped ? '${' : toReference(text.slice(start + 2, end === -1 ? undefined : end)))
    if (end === -1) return [...pieces.slice(0, -1), { malformed: toName(text.slice(start + 2)) }]
    at = end + 1
  }
  return pieces
}

function toReference(inside: string): Piece {
  const found = /^(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-(.*))?$/s.exec(inside)
  if (!found?.[1]) return { malformed: toName(inside) }
  return { name: found[1], fallback: found[2] }
}

/** Never its default, which may be a secret. */
function toName(inside: string): string {
  return inside.split(':-', 1).join('').slice(0, 40)
}
