/**
 * Reads events that differ from one before in a single text alone, without parsing them: in an
 * answer of a thousand pieces, all but the first few do.
 */
export interface TextTemplate {
  /** The text of `data`, or undefined where it must be parsed. */
  match(data: string): string | undefined
  /** Notes `data`, an event that says nothing but `text`, as the value of the template's key. */
  learn(data: string, text: string): void
}

const shortest = 16

/** A template over the value of `key`. */
export function createTextTemplate(key: string): TextTemplate {
  const name = `"${key}"`
  const opening = `${name}:"`
  let before = ''
  let after = ''

  return {
    match(data) {
      if (before === '' || !data.startsWith(before) || !data.endsWith(after)) return undefined
      const end = data.length - after.length
      if (end < before.length) return undefined
      const text = data.slice(before.length, end)
      // With neither of these the value ends where the template says.
      return text.includes('"') || text.includes('\\') ? undefined : text
    },
    learn(data, text) {
      // Were there a second such key or an escape, the text could be another one's value.
      const at = data.indexOf(opening)
      const isOnly = at !== -1 && data.indexOf(name) === at && data.lastIndexOf(name) === at
      if (!isOnly || data.length < shortest || data.includes('\\')) return
      const start = at + opening.length
      if (!data.startsWith(`${text}"`, start)) return
      before = data.slice(0, start)
      after = data.slice(start + text.length)
    },
  }
}
