import { isAppError, type JsonValue, parseJson } from '@dataagent/schema'

/** JSON as people paste it: with comments and trailing commas. Undefined where it is no JSON. */
export function readJsonc(text: string): JsonValue | undefined {
  const value = read(text)
  if (value !== undefined) return value
  const json = toJson(text)
  return json === undefined ? undefined : read(json)
}

function read(text: string): JsonValue | undefined {
  try {
    return parseJson(text)
  } catch (error) {
    if (isAppError(error)) return undefined
    throw error
  }
}

/**
 * Takes out comments, and commas before a closing bracket; undefined where a string has no end.
 * Goes once from the beginning to the end.
 */
function toJson(text: string): string | undefined {
  const parts: string[] = []
  let comma = -1
  for (let at = 0; at < text.length; ) {
    const commentEnd = endOfComment(text, at)
    const end = commentEnd ?? endOfToken(text, at)
    if (end === undefined) return undefined
    const token = commentEnd === undefined ? text.slice(at, end) : ''
    if (comma !== -1 && (token === '}' || token === ']')) parts[comma] = ''
    if (token === ',') comma = parts.length
    else if (token.trim() !== '') comma = -1
    parts.push(token)
    at = end
  }
  return parts.join('')
}

function endOfComment(text: string, at: number): number | undefined {
  const isLine = text.startsWith('//', at)
  if (!isLine && !text.startsWith('/*', at)) return undefined
  const end = text.indexOf(isLine ? '\n' : '*/', at + 2)
  if (end === -1) return text.length
  return isLine ? end : end + 2
}

/** A string, a run of space, a run of what has no meaning here, or a single sign. */
function endOfToken(text: string, at: number): number | undefined {
  if (text.charAt(at) !== '"') {
    const run = /\s+|[^\s"/,{}[\]]+|./suy
    run.lastIndex = at
    return at + (run.exec(text)?.[0].length ?? 1)
  }
  for (let end = at + 1; end < text.length; end += 1) {
    if (text.charAt(end) === '"') return end + 1
    if (text.charAt(end) === '\\') end += 1
  }
  return undefined
}
