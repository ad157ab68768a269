/** Characters that JSON leaves as they are and that a terminal may act upon, or does not show. */
const unsafe = /[\x7f-\x9f\p{Cf}\p{Zl}\p{Zp}]/gu

/** The same JSON for a program, with every such character by its number. */
export function toSafeJson(json: string): string {
  return json.replace(unsafe, (character) =>
    Array.from({ length: character.length }, (_, at) => {
      const code = character.charCodeAt(at).toString(16)
      return `\\u${code.padStart(4, '0')}`
    }).join(''),
  )
}
