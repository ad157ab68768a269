/**
 * PostgreSQL text holds no NUL, UTF-8 no lone surrogate. The event log, being JSON, keeps both as
 * they came.
 */
export function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}
