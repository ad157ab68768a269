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
      const end = data.length - after.length
      if (before === '' || end < before.length) return undefined
      // Cheaper than startsWith and endsWith, which go by character.
      if (data.slice(0, before.length) !== before || data.slice(end) !== after) return undefined
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
      before = toFlat(data.slice(0, start))
      after = toFlat(data.slice(start + text.length))
    },
  }
}

/** A text by itself: a slice of another one is slow to compare, and holds that in memory. */
function toFlat(text: string): string {
  return Buffer.from(text).toString()
}
