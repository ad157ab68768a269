/** A part of a text that says something else once decoded. */
export interface Decoded {
  encoding: string
  text: string
}

const runsMax = 50

interface Encoding {
  name: string
  runs: RegExp
  decode(run: string): string
}

/** Each pattern repeats one class of characters: none can run back over what it has read. */
const encodings: readonly Encoding[] = [
  {
    name: 'base64',
    runs: /[A-Za-z0-9+/_-]{16,}={0,2}/g,
    decode: (run) => Buffer.from(run, 'base64').toString('utf8'),
  },
  {
    name: 'base64',
    runs: /(?:[A-Za-z0-9+/]{16,76}[ \n]){1,}[A-Za-z0-9+/]{2,76}={0,2}/g,
    decode: (run) => Buffer.from(run.replaceAll(/\s/g, ''), 'base64').toString('utf8'),
  },
  {
    name: 'hexadecimal',
    runs: /(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]?){8,}/g,
    decode: (run) => Buffer.from(run.replaceAll(/0x|\\x|[ ,:]/g, ''), 'hex').toString('utf8'),
  },
  {
    name: 'percent-encoded',
    runs: /(?:%[0-9a-fA-F]{2}[\w.~-]{0,12}){3,}/g,
    decode: (run) => decodeURIComponent(run),
  },
  {
    name: 'escaped',
    runs: /(?:\\u\{?[0-9a-fA-F]{4,6}\}?|&#x?[0-9a-fA-F]{2,6};|U\+[0-9a-fA-F]{4,6} ?){4,}/g,
    decode: (run) =>
      fromCodes(
        [...run.matchAll(/&#(\d{2,7});|(?:\\u\{?|&#x|U\+)([0-9a-fA-F]{2,6})/g)].map(
          ([, decimal, code]) => (decimal ? Number(decimal) : Number.parseInt(code!, 16)),
        ),
      ),
  },
  {
    name: 'character codes',
    runs: /(?:\d{2,3}[ ,]{1,2}){7,}\d{2,3}/g,
    decode: (run) => fromCodes(run.split(/[ ,]+/).map(Number)),
  },
  {
    name: 'binary',
    runs: /(?:[01]{8} ?){6,}/g,
    decode: (run) =>
      fromCodes((run.match(/[01]{8}/g) ?? []).map((bits) => Number.parseInt(bits, 2))),
  },
]

/** What any of the above needs, in one look. */
const mayHaveRuns = /[\w+/-]{16}|%[\da-fA-F]{2}|\\[ux]|&#|U\+|\d[ ,:]|[\da-f][,:]?[\da-f]{2}[ ,:]/

/** The commonest words, which are no words the other way round. */
const rot13Words = /\b(?:gur|naq|guvf|lbhe?|abg|jvgu|nyy|hfre|gbby|vtaber|ernq|fraq)\b/i
const reversedWords = /erongi|noitcurtsni|suoiverp|tpmorp metsys|tegrof|\bresu eht\b|loot rehto/i

/** What a text says where it is decoded; only what turns out to be readable. */
export function decodeRuns(text: string): Decoded[] {
  const decoded = (mayHaveRuns.test(text) ? encodings : []).flatMap(({ name, runs, decode }) =>
    (text.match(runs) ?? [])
      .slice(0, runsMax)
      .map((run) => ({ encoding: name, text: decodeOrNothing(run, decode) }))
      .filter((found) => isReadable(found.text)),
  )
  if (rot13Words.test(text)) decoded.push({ encoding: 'rot13', text: toRot13(text) })
  if (reversedWords.test(text)) {
    decoded.push({ encoding: 'reversed', text: [...text].reverse().join('') })
  }
  return decoded
}

function decodeOrNothing(run: string, decode: (run: string) => string): string {
  try {
    return decode(run)
  } catch {
    return ''
  }
}

function fromCodes(codes: readonly number[]): string {
  return codes.map((code) => (code <= 0x10ffff ? String.fromCodePoint(code) : '\0')).join('')
}

/** Words, not what chance makes of a name or a key. */
function isReadable(text: string): boolean {
  if (text.length < 6 || /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(text.replaceAll(/[\n\t\r]/g, ' '))) {
    return false
  }
  if (/^[\w+/-]{16,}={0,2}$/.test(text)) return true
  const letters = text.match(/[a-z \p{sc=Han}]/giu)?.length ?? 0
  return letters / text.length > 0.7
}

function toRot13(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })
}
