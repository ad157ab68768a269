/** A path whose values are encoded: toPath`/sessions/${session_id}`. */
export function toPath(texts: TemplateStringsArray, ...values: (string | number)[]): string {
  return texts.reduce((path, text, at) => path + encodeURIComponent(values[at - 1] ?? '') + text)
}
