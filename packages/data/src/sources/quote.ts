import type { SourceKind } from '@dataagent/schema'

export function quoteName(name: string, kind: SourceKind): string {
  const mark = kind === 'mysql' ? '`' : '"'
  return `${mark}${name.replaceAll(mark, mark + mark)}${mark}`
}

export function quotePath(path: readonly string[], kind: SourceKind): string {
  return path.map((name) => quoteName(name, kind)).join('.')
}

export function quoteText(text: string, kind: SourceKind): string {
  const escaped = kind === 'mysql' ? text.replaceAll('\\', '\\\\') : text
  return `'${escaped.replaceAll("'", "''")}'`
}
