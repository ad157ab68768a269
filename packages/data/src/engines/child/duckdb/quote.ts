export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A path as a pattern that is only itself. */
export function quotePath(path: string): string {
  return quoteText(path.replaceAll(/[[\]*?]/g, '[$&]'))
}
