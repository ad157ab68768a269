import { faint, keys, numerals, silent, weak } from './lexicon.ts'
import { isHan, isNumber, toUnits } from './units.ts'

/** What a text says, as far as its words tell. */
export interface Tokens {
  /** Sorted, each once: texts that differ in them ask for different things. */
  keys: string
  /** All words that count, each once, with the keys. */
  all: ReadonlySet<string>
  language: 'zh' | 'other'
}

interface Node {
  next: Map<string, Node>
  /** What ends here says these, and takes so many units. */
  tokens?: readonly string[]
  length?: number
}

const keyMark = 'key:'
const weakMark = 'weak:'
const faintMark = 'faint:'
const numberMark = 'number:'
const tree = plant()

export function isWeak(token: string): boolean {
  return token.startsWith(weakMark) || isNumberToken(token)
}

export function isFaint(token: string): boolean {
  return token.startsWith(faintMark)
}

export function isNumberToken(token: string): boolean {
  return token.startsWith(numberMark)
}

export function toTokens(text: string): Tokens {
  const units = toUnits(text)
  const all = new Set<string>()
  let unknown: string[] = []
  for (let at = 0; at < units.length; ) {
    const found = longestAt(units, at)
    if (found === undefined) unknown.push(units[at] ?? '')
    if (found !== undefined || at + 1 === units.length) {
      for (const token of toUnknown(unknown)) all.add(token)
      for (const token of found?.tokens ?? []) all.add(token)
      unknown = []
    }
    at += found?.length ?? 1
  }
  const han = units.filter(isHan).length
  return {
    keys: [...all]
      .filter((token) => token.startsWith(keyMark))
      .toSorted()
      .join(' '),
    all,
    // A Chinese word is about two characters.
    language: han / 2 >= units.length - han ? 'zh' : 'other',
  }
}

/** The longest words of the lexicon that stand there. */
function longestAt(units: readonly string[], from: number) {
  let node: Node | undefined = tree
  let found: { tokens: readonly string[]; length: number } | undefined
  for (let at = from; at < units.length; at += 1) {
    node = node.next.get(units[at] ?? '')
    if (node === undefined) break
    if (node.tokens) found = { tokens: node.tokens, length: node.length ?? 1 }
  }
  return found
}

/** Words as they are; Chinese, whose words have no bounds, by each two neighbours. */
function toUnknown(units: readonly string[]): string[] {
  return units.flatMap((unit, at) => {
    if (isNumber(unit)) return [numberMark + unit]
    if (!isHan(unit)) return [unit]
    const [before = '', after = ''] = [units[at - 1], units[at + 1]]
    if (isHan(after)) return [unit + after]
    return isHan(before) ? [] : [unit]
  })
}

function plant(): Node {
  const root: Node = { next: new Map() }
  for (const [name, words] of Object.entries(keys)) plantWords(root, words, [keyMark + name])
  for (const [name, words] of Object.entries(weak)) plantWords(root, words, [weakMark + name])
  for (const [name, words] of Object.entries(faint)) plantWords(root, words, [faintMark + name])
  plantWords(root, silent, [])
  for (const [word, value] of Object.entries(numerals)) plantNumeral(root, word, numberMark + value)
  return root
}

/** A Chinese numeral alone may be a part of any word: it counts before or after certain others. */
function plantNumeral(root: Node, word: string, token: string): void {
  const isChinese = isHan(word[0] ?? '')
  for (const before of isChinese ? ['前', '头', '哪', '那', '这'] : [''])
    put(root, before + word, [token])
  if (!isChinese) return
  for (const after of ['个', '大', '名', '天', '位', '种', '款', '项', '家', '月', '元', '倍'])
    put(root, word + after, [token], word.length)
}

/** Words between commas; after a bar what else they say. */
function plantWords(root: Node, words: string, tokens: readonly string[]): void {
  for (const word of words.split(',')) {
    const [phrase = '', ...more] = word.trim().split('|')
    put(root, phrase, [...tokens, ...more.map(toToken)])
  }
}

function toToken(name: string): string {
  if (name.startsWith('number_')) return numberMark + name.slice('number_'.length)
  return keyMark + name
}

function put(root: Node, phrase: string, tokens: readonly string[], length?: number): void {
  const units = toUnits(phrase)
  if (units.length === 0) return
  let node = root
  for (const unit of units) {
    const next: Node = node.next.get(unit) ?? { next: new Map() }
    node.next.set(unit, next)
    node = next
  }
  // Of two lists that have it the first counts.
  if (node.tokens) return
  node.tokens = tokens
  node.length = length ?? units.length
}
