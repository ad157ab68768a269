import { buildTrie, childOf, type Trie } from './trie.ts'

/** Told of a word that ends before `end`; words that end there come longest first. */
export type OnWord = (word: number, end: number) => void

/** Finds all of many words in one walk over a text (Aho and Corasick, 1975). */
export interface Automaton {
  scan(text: string, onWord: OnWord): void
}

/**
 * Compiles sorted, different, not empty words. A character of the text then costs the same for 10
 * and for 100,000 words.
 */
export function compileAutomaton(words: readonly string[]): Automaton {
  const trie = buildTrie(words)
  const fail = new Int32Array(trie.size)
  const links = { trie, fail }
  // The nearest node on the way of failures where a word ends; 0 for none.
  const ending = new Int32Array(trie.size)
  for (let node = 1; node < trie.size; node++) {
    const parent = trie.parent[node]!
    const next = parent === 0 ? 0 : follow(links, fail[parent]!, trie.unit[node]!)
    fail[node] = next
    ending[node] = trie.word[next]! >= 0 ? next : ending[next]!
  }
  return {
    scan(text, onWord) {
      let node = 0
      for (let index = 0; index < text.length; index++) {
        node = follow(links, node, text.charCodeAt(index))
        if (node === 0) continue
        for (let at = node; at !== 0; at = ending[at]!) {
          if (trie.word[at]! >= 0) onWord(trie.word[at]!, index + 1)
        }
      }
    },
  }
}

interface Links {
  trie: Trie
  fail: Int32Array
}

function follow({ trie, fail }: Links, from: number, unit: number): number {
  let node = from
  for (;;) {
    const child = childOf(trie, node, unit)
    if (child !== -1) return child
    if (node === 0) return 0
    node = fail[node]!
  }
}
