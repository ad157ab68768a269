/**
 * Letters and digits that look like a Latin letter. Each is followed by what it looks like, in
 * small letters, after NFKC: full-width and mathematical letters are plain by then.
 */
const lookAlikes: Record<string, string> = {
  a: 'аɑαа̀ӑӓ@4',
  b: 'ЬьвβƄʙ8',
  c: 'сϲᴄⅽ¢',
  d: 'ԁɗđ',
  e: 'еєҽεёѐ℮3',
  f: 'ƒϝ',
  g: 'ɡցǥ9',
  h: 'һհнʜ',
  i: 'іїɩιíìıⅰ1!|ⅼӏlɪ',
  j: 'јϳ',
  k: 'кκᴋĸ',
  m: 'мᴍ',
  n: 'пηոɴи',
  o: 'оοσօ0ᴏө',
  p: 'рρᴘ',
  q: 'ԛգ',
  r: 'гᴦʀɾ',
  s: 'ѕꜱʂ5$',
  t: 'тτᴛ7',
  u: 'υսцᴜ',
  v: 'νѵᴠ',
  w: 'ԝшωᴡ',
  x: 'хχ×',
  y: 'уγүʏ',
  z: 'ᴢʐ2',
}

const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) =>
    [...others].map((other) => [other.toLowerCase(), letter] as const),
  ),
)

/** The name in compatibility form, without case and separators: `get-User` is `get_user`. */
export function toFolded(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s._\-/:]+/g, '')
}

/** What a name looks like to a hurried eye: two that share it are taken for one another. */
export function toSkeleton(name: string): string {
  return toLatin(
    toFolded(name)
      .normalize('NFD')
      .replaceAll(/\p{M}+/gu, ''),
  )
}

/** Every look-alike letter and digit as the Latin letter it looks like. */
function toLatin(text: string): string {
  let latin = ''
  for (const character of text) latin += latinOf.get(character) ?? character
  return latin
}

const foreign = /[\u0080-\uffff]/

/** Look-alikes of other scripts as Latin letters; digits stay. For texts in small letters. */
export function withoutHomoglyphs(text: string): string {
  if (!foreign.test(text)) return text
  let latin = ''
  for (const character of text.normalize('NFD')) {
    if (/\p{M}/u.test(character)) continue
    latin += character > '\x7f' ? (latinOf.get(character) ?? character) : character
  }
  return latin
}

const leet: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'l',
}
const leetWord = /[a-z0-9@$!|]*[a-z][a-z0-9@$!|]*/g

/** Digits and signs that stand for letters, inside words that have letters too. */
export function withoutLeet(text: string): string {
  if (!/[a-z][013457@$!|]|[013457@$!|][a-z]/.test(text)) return text
  return text.replace(leetWord, (word) => word.replace(/[013457@$!|]/g, (sign) => leet[sign]!))
}
