const words = /[\p{L}\p{N}]+/gu
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu

/**
 * What a text is looked up by: words in small letters; in scripts without spaces each
 * character and each pair of neighbours. What says nothing by itself is left out.
 */
export function toTerms(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.normalize('NFKC').toLowerCase().matchAll(words)) {
    for (const [run] of word.matchAll(unspaced)) terms.push(...toPieces(run))
    for (const part of word.split(unspaced)) {
      if (part !== '' && !idle.has(part)) terms.push(toStem(part))
    }
  }
  return terms
}

function toPieces(run: string): string[] {
  const characters = [...run]
  const pairs = characters.slice(1).map((character, i) => `${characters[i]}${character}`)
  return [...pairs, ...characters.filter((character) => !idleCharacters.has(character))]
}

/** One form for the plural and the possessive, which is what questions differ by most. */
function toStem(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word
}

const idle: ReadonlySet<string> = new Set(
  (
    'a an and are as at be but by can did do does for from had has have how i in is it its me my ' +
    'of on or s so t that the this to us was we were what when where which who will with you your'
  ).split(' '),
)

const idleCharacters: ReadonlySet<string> = new Set(
  '的了着过是在有和与或就也都还很不没我你他她它们您咱这那哪谁什么怎为个些一二两几给把被从对到向让请吗呢吧啊呀嘛哦要会能可以应该想用户说问',
)
