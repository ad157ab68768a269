/** Characters that show nothing, and which models put between words. */
const unseen = /[\u00ad\u200b-\u200d\u2060\ufeff]/g
const groupSpace = /(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))/g
const groupMark = /(?<=\d)[,'’](?=\d{3}(?!\d))/g
const markup = /\*\*|__|`/g

/**
 * How one text can be read. A keyword is in an answer if it is there in the same reading:
 *
 * 1. As it stands, without regard to case, full or half width and kinds of white space.
 * 2. Also without Markdown's emphasis and code marks, and without the marks between thousands:
 *    `1,234`, `1'234`, `1 234` (a space that does not break) and `1234` are the same number. An
 *    ordinary space separates numbers, and so does a comma that has not exactly three digits behind
 *    it. In `100,200` both readings count: it may be a list.
 */
export function toReadings(text: string): [plain: string, bare: string] {
  const seen = text.replace(unseen, '').replace(groupSpace, ',')
  const plain = fold(seen)
  return [plain, plain.replace(markup, '').replace(groupMark, '')]
}

/** Upper case, for more letters are alike in it: `ß` and `ss`, both small sigmas. */
function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().normalize('NFKC').replace(/\s+/g, ' ').trim()
}
