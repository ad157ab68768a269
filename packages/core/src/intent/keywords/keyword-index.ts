import type { ToolServer } from '../contract.ts'
import { foldText } from '../fold-text.ts'
import { type Automaton, compileAutomaton } from './automaton.ts'
import { isWordAt } from './word-character.ts'

/** Trigger keywords of a set of servers, compiled. */
export interface KeywordIndex {
  /** Servers that a message names a keyword of, in the order of their first one. */
  find(message: string): FoundKeyword[]
}

/** A server, and the first of its keywords in a message, as the server has it. */
export interface FoundKeyword {
  server: ToolServer
  keyword: string
}

const kept = new WeakMap<readonly ToolServer[], KeywordIndex>()

/** The index of these servers, compiled at first sight of the array. */
export function keywordIndexOf(servers: readonly ToolServer[]): KeywordIndex {
  const index = kept.get(servers) ?? createKeywordIndex(servers)
  kept.set(servers, index)
  return index
}

/**
 * Keywords are literal: case and compatibility forms do not count, a Latin one is a whole word, a
 * Chinese one is found anywhere. Of two that begin at the same place the longer one comes first.
 */
export function createKeywordIndex(servers: readonly ToolServer[]): KeywordIndex {
  const owners: Owners = new Map()
  servers.forEach(({ trigger_keywords }, owner) => {
    for (const keyword of trigger_keywords) {
      const word = foldText(keyword.trim())
      if (word === '') continue
      const found = owners.get(word)
      const owned = { owner, keyword: keyword.trim() }
      if (found) found.push(owned)
      else owners.set(word, [owned])
    }
  })
  const words = [...owners.keys()].sort(byUnits)
  const automaton = compileAutomaton(words)
  return {
    find(message) {
      if (words.length === 0) return []
      const firsts = findFirsts({ automaton, words, owners }, foldText(message))
      return [...firsts.values()].sort(byPlace).map(({ owner, keyword }) => ({
        ...{ server: servers[owner]!, keyword },
      }))
    },
  }
}

/** By the folded word: whose it is, and how they write it. */
type Owners = Map<string, { owner: number; keyword: string }[]>

interface Compiled {
  automaton: Automaton
  words: readonly string[]
  owners: Owners
}

interface Place {
  owner: number
  keyword: string
  start: number
  length: number
}

/** Of each server the keyword that comes first in the text. */
function findFirsts({ automaton, words, owners }: Compiled, text: string): Map<number, Place> {
  const firsts = new Map<number, Place>()
  automaton.scan(text, (index, end) => {
    const word = words[index]!
    const start = end - word.length
    if (!isWhole(text, start, end)) return
    for (const { owner, keyword } of owners.get(word) ?? []) {
      const place = { owner, keyword, start, length: word.length }
      const first = firsts.get(owner)
      if (!first || byPlace(place, first) < 0) firsts.set(owner, place)
    }
  })
  return firsts
}

/** Neither end of the found text cuts a word in two. */
function isWhole(text: string, start: number, end: number): boolean {
  const cutsStart = start > 0 && isWordAt(text, start) && isWordAt(text, start - 1)
  const cutsEnd = end < text.length && isWordAt(text, end - 1) && isWordAt(text, end)
  return !cutsStart && !cutsEnd
}

function byPlace(a: Place, b: Place): number {
  return a.start - b.start || b.length - a.length || a.owner - b.owner
}

/** By UTF-16 units, as the trie has them. */
function byUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
