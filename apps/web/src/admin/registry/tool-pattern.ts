/** A part of a pattern as Go's `path.Match` reads it, which the server follows. */
const part = /\\(?<escaped>.)|\[(?<negated>\^)?(?<set>(?:\\.|[^\]\\])+)\]|(?<plain>[^[\\])/gsu

/** Whether a tool's name fits; stars alone fit every name, what cannot be read fits none. */
export function fitsPattern(pattern: string, name: string): boolean {
  if (/^\*+$/.test(pattern)) return true
  if (pattern.replaceAll(part, '') !== '') return false
  const source = pattern.replaceAll(part, (_all, ...given) => toSource(given.at(-1) as Parts))
  try {
    return new RegExp(`^${source}$`, 'su').test(name)
  } catch {
    return false
  }
}

interface Parts {
  escaped?: string
  negated?: string
  set?: string
  plain?: string
}

function toSource({ escaped, negated, set, plain = '' }: Parts): string {
  if (escaped !== undefined) return quote(escaped)
  if (set !== undefined) return `[${negated ?? ''}${set.replaceAll(/[[^]/g, '\\$&')}]`
  if (plain === '*') return '[^/]*'
  return plain === '?' ? '[^/]' : quote(plain)
}

function quote(text: string): string {
  return text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&')
}
