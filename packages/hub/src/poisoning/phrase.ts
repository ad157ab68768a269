/** A turn of phrase that speaks to a model. */
export interface Phrase {
  /** Two is enough for a `high` finding, one for a `low` one. */
  weight: 1 | 2
  what: string
  /**
   * Words of which the text must have one for the pattern to be tried, by their first five letters;
   * where left out it is always tried.
   */
  words?: string
  /** For a text in small letters with single blanks. */
  pattern: RegExp
}

/** A pattern over several lines: breaks and the blanks behind them are not part of it. */
export function toPattern({ raw }: TemplateStringsArray): RegExp {
  return new RegExp(raw.join('').replaceAll(/\n\s*/g, ''), 'u')
}

const keyLength = 5

/** Gives those of `phrases` that may be in a text, by its words: few texts have any. */
export function createPhraseIndex(phrases: readonly Phrase[]): (text: string) => Phrase[] {
  const always = phrases.filter(({ words }) => words === undefined)
  const byKey = new Map<string, Phrase[]>()
  for (const phrase of phrases) {
    for (const key of new Set(toKeys(phrase.words ?? ''))) {
      byKey.set(key, [...(byKey.get(key) ?? []), phrase])
    }
  }
  return (text) => {
    const found = new Set(always)
    for (const key of toKeys(text)) {
      for (const phrase of byKey.get(key) ?? []) found.add(phrase)
    }
    return [...found]
  }
}

function toKeys(text: string): string[] {
  return (text.match(/[a-z]+/g) ?? []).map((word) => word.slice(0, keyLength))
}
