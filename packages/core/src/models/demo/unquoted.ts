/** A text without the quotes that stand around all of it. */
export function unquoted(text: string): string {
  const inner = /^(?:"([^"]*)"|“([^”]*)”|「([^」]*)」|'([^']*)'|`([^`]*)`)$/u.exec(text.trim())
  return inner?.slice(1).find((part) => part) ?? text
}
