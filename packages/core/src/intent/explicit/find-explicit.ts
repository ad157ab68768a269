import { toPattern } from '../to-pattern.ts'
import { isClauseStart, isUsedBefore } from './clauses.ts'
import { type Cue, findCues } from './cues.ts'
import { readHanName } from './han-names.ts'
import { findMentions } from './mentions.ts'
import type { Named, NameIndex } from './name-index.ts'
import { isRefused } from './negation.ts'
import { readNames, type WrittenName } from './written-names.ts'

/** A tool or server that a message names in order to use it. */
export interface ExplicitName {
  /** As the message writes it. */
  name: string
  start: number
  /** Undefined for a name that is clearly a tool's, but of none that the agent has. */
  named: Named | undefined
}

/** `getIndex` is called only where the message has something that could be a name. */
export function findExplicit(text: string, getIndex: () => NameIndex): ExplicitName[] {
  const cued = findCues(text).flatMap((cue) => readCued(text, cue, getIndex))
  return [...findCommands(text, getIndex), ...cued, ...findMentions(text, getIndex)]
}

const command = /^\s{0,8}\/tool\s{1,4}[`"'“]?([^\s`"'“”]{1,128})/gmu

const commandsMax = 20

function findCommands(text: string, getIndex: () => NameIndex): ExplicitName[] {
  if (!text.includes('/tool')) return []
  return [...text.matchAll(command).take(commandsMax)].map(({ index, 1: name = '' }) => ({
    name,
    start: index,
    named: getIndex().find(name) ?? getIndex().findByPrefix(name),
  }))
}

function readCued(text: string, cue: Cue, getIndex: () => NameIndex): ExplicitName[] {
  if (isRefused(text, cue.start)) return []
  for (const written of readNames(text, cue.end)) {
    const found = judge({ text, cue, written, index: getIndex() })
    if (found) return [found]
  }
  const inHan = cue.isStrong ? readHanName(text, cue.end, getIndex) : undefined
  return inHan ? [{ ...inHan, start: cue.end }] : []
}

interface Candidate {
  text: string
  cue: Cue
  written: WrittenName
  index: NameIndex
}

function judge(candidate: Candidate): ExplicitName | undefined {
  const { cue, written } = candidate
  const { name, start } = written
  if (!cue.isStrong && !written.isMarked) return undefined
  const named = resolve(candidate)
  if (named) return { name, start, named }
  return isClearlyTool(candidate) ? { name, start, named: undefined } : undefined
}

function resolve({ text, cue, written, index }: Candidate): Named | undefined {
  const { name, kind, isMarked } = written
  const named = index.find(name)
  if (kind === 'quoted') return named
  if (named)
    return isMarked || cue.isMarked || !isPlainWord(name) || standsAlone(text, cue, written)
      ? named
      : undefined
  if (name.length < prefixMin || generic.test(name)) return undefined
  return isMarked || /[._]/.test(name) ? index.findByPrefix(name) : undefined
}

const prefixMin = 3
const generic = toPattern('i')`
  ^(?:right|best|correct|current|same|other|following|new|old|good|better|proper|appropriate
  |available|next|last|first|any|whatever|which|what|some|every|all|this|that|default)$`

/** One word that could be one of any language's: `time`, `search`. */
function isPlainWord(name: string): boolean {
  return /^[A-Za-z]+$/.test(name)
}

/** A plain word is a name where the clause begins with its verb and says no more of it. */
function standsAlone(text: string, { start }: Cue, { end }: WrittenName): boolean {
  return isClauseStart(text, start) && isUsedBefore(text, end)
}

const identifier = /^[A-Za-z][\w.\-/]*$/

/** A name that nobody has is one in quotes or with an underscore, said to be a tool. */
function isClearlyTool({ text, cue, written }: Candidate): boolean {
  const { name, kind, isMarked, isBackticked } = written
  if (isMarked || cue.isMarked) return kind === 'quoted' || (kind === 'latin' && /\w_\w/.test(name))
  const isFirst = text.slice(0, cue.start).trim().length <= leadMax
  const isPlain = isFirst && isUsedBefore(text, written.end) && !/[?？]\s*$/.test(text)
  return isBackticked && cue.isCall && isPlain && identifier.test(name)
}

/** Room for "please", "请帮我" and the like before the verb. */
const leadMax = 8
