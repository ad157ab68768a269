import type { KnownTool } from './known-tools.ts'
import { readFields } from './schema-fields.ts'
import { translated } from './word-list.ts'

/** What changes something is used only where the message says that word. */
const changing: ReadonlySet<string> = new Set(
  'cancel delete remove drop send create add update write edit refund pay transfer approve set insert post move execute'.split(
    ' ',
  ),
)
/** Words of a name that do not tell what the tool is about. */
const acting: ReadonlySet<string> = new Set([
  ...changing,
  ...'get list search find check read run query show fetch detail details all by of the and for'.split(
    ' ',
  ),
])

interface Words {
  name: ReadonlySet<string>
  told: ReadonlySet<string>
  /** First letters of ids that a required parameter takes: `order` of `order-0042`. */
  ids: readonly string[]
}

const kept = new WeakMap<KnownTool, Words>()

function wordsOf(tool: KnownTool): Words {
  const known = kept.get(tool)
  if (known) return known
  const required = readFields(tool.schema).filter(({ isRequired }) => isRequired)
  const ids = required.filter(({ name }) => /(?:^|_|[a-z])id$/i.test(name))
  const words: Words = {
    name: new Set(toWords(tool.name)),
    told: new Set(toWords(tool.description)),
    ids: ids.map(({ name }) => name.toLowerCase().replace(/_?id$/, '')),
  }
  kept.set(tool, words)
  return words
}

function toWords(text: string): string[] {
  const spaced = text
    .slice(0, 4_000)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
  return (spaced.match(/[a-z]{2,}/g) ?? []).map((word) =>
    word.length > 3 ? word.replace(/(?<!s)s$/, '') : word,
  )
}

/**
 * The tool whose name fits the words of a message best; undefined where none is about any of them.
 * Chinese is looked up in a short list of words, and compared as it is with Chinese descriptions.
 */
export function findByWords(text: string, tools: readonly KnownTool[]): KnownTool | undefined {
  const said = new Set([...toWords(text), ...translated(text)])
  const pairs = toPairs(text)
  const given = new Set(
    [...text.matchAll(idPattern)].map(([, letters = '']) => letters.toLowerCase()),
  )
  const counts = countNames(tools)
  const changes = changesIn(said)
  let best: { tool: KnownTool; score: number; isMeant: boolean } | undefined
  for (const tool of tools) {
    const score = scoreOf({ tool, said, given, pairs, counts, total: tools.length })
    const isMeant = doesOne(changes, tool)
    const isBetter = isMeant === best?.isMeant ? score > best.score : isMeant || !best
    if (score > 0 && isBetter) best = { tool, score, isMeant }
  }
  return best?.tool
}

/**
 * Whether a tool changes what the message asks to change; true where it asks for no change. A tool
 * that only shows an order is not what "cancel the order" means.
 */
export function doesWhatIsSaid(text: string, tool: KnownTool): boolean {
  return doesOne(changesIn([...toWords(text), ...translated(text)]), tool)
}

function changesIn(words: Iterable<string>): string[] {
  return [...words].filter((word) => changing.has(word))
}

function doesOne(changes: readonly string[], tool: KnownTool): boolean {
  return changes.length === 0 || changes.some((word) => wordsOf(tool).name.has(word))
}

/** How many tools have a word in their name: one that all have, as the server's, tells nothing. */
function countNames(tools: readonly KnownTool[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const tool of tools) {
    for (const word of wordsOf(tool).name) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

const idPattern = /(?<![\w-])([A-Za-z]{1,32})[-_#]\d/g
/** More than a word of the name: who gives an id wants to know of that one thing. */
const idScore = 4

interface Scored {
  tool: KnownTool
  said: ReadonlySet<string>
  /** First letters of the ids that the message gives. */
  given: ReadonlySet<string>
  pairs: readonly string[]
  counts: ReadonlyMap<string, number>
  total: number
}

function scoreOf({ tool, said, given, pairs, counts, total }: Scored): number {
  const { name, told, ids } = wordsOf(tool)
  if ([...name].some((word) => changing.has(word) && !said.has(word))) return 0
  let about = 0
  let score = 0
  for (const word of said) {
    if (name.has(word)) {
      const rarity = Math.log(1 + total / (counts.get(word) ?? 1))
      score += rarity * 3
      if (!acting.has(word)) about += rarity
    } else if (told.has(word) && !acting.has(word)) score += 0.5
  }
  score += ids.filter((letters) => given.has(letters)).length * idScore
  const alike = pairs.filter((pair) => tool.description.includes(pair)).length
  return about > 0 || alike > 1 ? score + alike : 0
}

const pairsMax = 200

/** Every two Chinese characters that stand together. */
function toPairs(text: string): string[] {
  const found = text.slice(0, 2_000).matchAll(/(?=(\p{Script=Han}{2}))/gu)
  return [...new Set([...found].map(([, pair = '']) => pair))].slice(0, pairsMax)
}
