import { defineWords } from '../words/words.ts'

/** How the server says what a field must be, or what it was: a pattern, and the same in words. */
type Phrase = readonly [RegExp, (...found: string[]) => string]
export type Phrases = readonly Phrase[]

const kinds: Readonly<Record<string, string>> = {
  string: '文本',
  number: '数字',
  integer: '整数',
  boolean: '是或否',
  object: '对象',
  array: '列表',
  null: '空值',
}

const zh: Phrases = [
  [/^nothing$|^undefined$/, () => '未填写'],
  [/^no such field$/, () => '没有这个字段'],
  [/^any value$|^another value$/, () => '其他值'],
  [/^true or false$/, () => '是或否'],
  [/^an empty (string|array)$/, (kind = '') => `空${kinds[kind]}`],
  [
    /^(?:an? )?(string|number|integer|boolean|object|array|null)$/,
    (kind = '') => kinds[kind] ?? '',
  ],
  [/^(?:a )?string of (\d+) characters?$/, (n = '') => `${n} 个字符的文本`],
  [/^a string in the format (.+)$/, (format = '') => `${format} 格式的文本`],
  [/^an array of (\d+)$/, (n = '') => `${n} 项的列表`],
  [/^an array of (\w+)s$/, (kind = '') => `${kinds[kind] ?? kind}列表`],
  [/^an object with (.+)$/, (names = '') => `含 ${names} 的对象`],
  [/^at most (\d+)$/, (n = '') => `不大于 ${n}`],
  [/^at least (\d+)$/, (n = '') => `不小于 ${n}`],
  [/^at most (\d+) characters?$/, (n = '') => `最多 ${n} 个字符`],
  [/^at least (\d+) characters?$/, (n = '') => `至少 ${n} 个字符`],
  [/^at most (\d+) (?:items|fields?|item)$/, (n = '') => `最多 ${n} 项`],
  [/^at least (\d+) (?:items|fields?|item)$/, (n = '') => `至少 ${n} 项`],
]

export const fieldPhrases = defineWords<Phrases>({ en: [], zh })

/** A note in brackets behind it stays as it is; so does what is none of the phrases. */
export function toPhrase(text: string, phrases: Phrases): string {
  if (phrases.length === 0) return text
  const [, core = text, note = ''] = /^(.*?)( \(.*\))?$/s.exec(text) ?? []
  const of = (part: string) => toOne(part, phrases) ?? part
  const whole = toOne(core, phrases) ?? core.split(' or ').map(of).join('或')
  const told = toOne(note.slice(2, -1), phrases)
  if (note === '') return whole
  return `${whole}（${told ?? note.slice(2, -1)}）`
}

/** What the first of the phrases that fits makes of the whole text. */
export function toOne(text: string, phrases: Phrases): string | undefined {
  for (const [pattern, say] of phrases) {
    const found = pattern.exec(text)
    if (found) return say(...found.slice(1))
  }
  return undefined
}
