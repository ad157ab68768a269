/** Ways in which a text is hidden from people, or from those who look for words. */
export const disguises: Record<string, (text: string) => string> = {
  plain: (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'full-width': (text) =>
    text.replaceAll(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  'zero-width split': (text) => [...text].join('\u200b'),
  'word joiners': (text) => text.replaceAll(/(\w)(?=\w)/g, '$1\u2060'),
  'soft hyphens': (text) => text.replaceAll(/(\w{2})(?=\w)/g, '$1\u00ad'),
  homoglyphs: (text) => text.replaceAll(/[aeopcixys]/g, (sign) => cyrillic[sign] ?? sign),
  greek: (text) => text.replaceAll(/[oviape]/g, (sign) => greek[sign] ?? sign),
  leet: (text) => text.replaceAll(/[oieast]/g, (sign) => leet[sign] ?? sign),
  'spaced out': (text) =>
    text
      .split(' ')
      .map((word) => [...word].join(' '))
      .join('   '),
  'dotted out': (text) =>
    text
      .split(' ')
      .map((word) => [...word].join('.'))
      .join(' '),
  base64: (text) => `Payload: ${Buffer.from(text).toString('base64')}`,
  'base64 twice': (text) => Buffer.from(Buffer.from(text).toString('base64')).toString('base64'),
  base64url: (text) => `see ${Buffer.from(text).toString('base64url')} for details`,
  hex: (text) => Buffer.from(text).toString('hex'),
  'hex escapes': (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '\\x$&'),
  'percent-encoded': (text) => Buffer.from(text).toString('hex').replaceAll(/../g, '%$&'),
  'unicode escapes': (text) =>
    [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  entities: (text) => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join(''),
  'character codes': (text) => [...Buffer.from(text)].map((code) => String(code)).join(', '),
  rot13: (text) => text.replaceAll(/[a-z]/gi, toRot13),
  tags: (text) =>
    `Adds two numbers.${[...text].map((sign) => String.fromCodePoint(0xe0000 + (sign.charCodeAt(0) & 0x7f))).join('')}`,
  'variation selectors': (text) =>
    `Adds two numbers.${[...Buffer.from(text)].map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16)).join('')}`,
  'right to left': (text) => `\u202e${[...text].reverse().join('')}\u202c`,
  comment: (text) => `Adds two numbers. <!-- ${text} -->`,
  'behind a gap': (text) => `Adds two numbers.${'\n'.repeat(60)}${text}`,
  'behind blanks': (text) => `Adds two numbers.${' '.repeat(300)}${text}`,
  'amid much else': (text) =>
    `${'Returns the sum of both numbers. '.repeat(20)}${text} ${'Numbers may be negative. '.repeat(20)}`,
  'over lines': (text) => text.replaceAll(' ', '\n'),
  'in bold': (text) => text.replaceAll(/\w+/g, '**$&**'),
  'escape codes': (text) => `Adds two numbers.\u001b[8m${text}\u001b[0m`,
}

/** Those that make sense for a text without Latin letters. */
export const chineseDisguises = [
  'plain',
  'zero-width split',
  'spaced out',
  'base64',
  'base64 twice',
  'hex',
  'percent-encoded',
  'unicode escapes',
  'entities',
  'comment',
  'behind a gap',
  'amid much else',
  'escape codes',
]

const cyrillic: Record<string, string> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  i: 'і',
  x: 'х',
  y: 'у',
  s: 'ѕ',
}
const greek: Record<string, string> = { o: 'ο', v: 'ν', i: 'ι', a: 'α', p: 'ρ', e: 'ε' }
const leet: Record<string, string> = { o: '0', i: '1', e: '3', a: '4', s: '5', t: '7' }

function toRot13(letter: string): string {
  const base = letter <= 'Z' ? 65 : 97
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
}
