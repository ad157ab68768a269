/** A table of Markdown. */
export function toTable(head: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`)
}
