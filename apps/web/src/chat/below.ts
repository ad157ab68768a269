/** A text below what is written already, where it does not stand there yet. */
export function below(written: string, text: string): string {
  if (written.endsWith(text)) return written
  return written.trim() === '' ? text : `${written.trimEnd()}\n\n${text}`
}
