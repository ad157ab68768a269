import { formatPatch, type StructuredPatch, structuredPatch } from 'diff'
import { toBlock } from './block-patch.ts'

/** A file as a diff sees it. */
export type FileState =
  | { kind: 'absent' }
  | { kind: 'text'; text: string }
  /** Not text, or too large to be compared. */
  | { kind: 'opaque'; bytes: number; lines: number; why: 'binary' | 'large' }

export interface FileDiff {
  /** Unified; empty where nothing changed. */
  diff: string
  additions: number
  deletions: number
}

/** A file that has more is not compared. */
export const comparedBytes = 2 * 1024 * 1024
/** Texts that together have more are compared as blocks. */
const comparedChars = 1024 * 1024
const shownChars = 64 * 1024
const maxEditLength = 1_000
const timeoutMs = 100

/** What changed in a file, in bounded time: a difference that takes long to find is a block. */
export function diffOf(path: string, before: FileState, after: FileState): FileDiff {
  if (before.kind === 'opaque' || after.kind === 'opaque') return summarise(path, before, after)
  const [old, now] = [textOf(before), textOf(after)]
  if (before.kind === after.kind && old === now) return { diff: '', additions: 0, deletions: 0 }
  const [from, to] = headsOf(path, before, after)
  const hunks = findHunks(old, now)
  const lines = hunks.flatMap((hunk) => hunk.lines)
  return {
    diff: shorten(formatPatch({ ...patchOf(from, to), hunks }).replace(/^={3,}\n/, '')),
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  }
}

function patchOf(oldFileName: string, newFileName: string): Omit<StructuredPatch, 'hunks'> {
  return { oldFileName, newFileName, oldHeader: undefined, newHeader: undefined }
}

function findHunks(old: string, now: string): StructuredPatch['hunks'] {
  const options = { context: 3, maxEditLength, timeout: timeoutMs }
  const isShort = old.length + now.length <= comparedChars
  const found = isShort && structuredPatch('', '', old, now, undefined, undefined, options)
  return found ? found.hunks : [toBlock(old, now)]
}

function textOf(state: FileState): string {
  return state.kind === 'text' ? state.text : ''
}

function headsOf(path: string, before: FileState, after: FileState): [string, string] {
  return [
    before.kind === 'absent' ? '/dev/null' : `a/${path}`,
    after.kind === 'absent' ? '/dev/null' : `b/${path}`,
  ]
}

function shorten(diff: string): string {
  if (diff.length <= shownChars) return diff
  const end = diff.lastIndexOf('\n', shownChars)
  const kept = diff.slice(0, end > 0 ? end : shownChars)
  return `${kept}\n\\ The rest of the diff is left out (${diff.length - kept.length} characters)\n`
}

/** What is no text, or too large, is told but not shown. */
function summarise(path: string, before: FileState, after: FileState): FileDiff {
  const [from, to] = headsOf(path, before, after)
  const words = `\\ Not shown: ${sizeOf(before)} became ${sizeOf(after)}`
  return {
    diff: `--- ${from}\n+++ ${to}\n${words}\n`,
    additions: linesOf(after),
    deletions: linesOf(before),
  }
}

function linesOf(state: FileState): number {
  if (state.kind === 'opaque') return state.lines
  const text = textOf(state)
  const ends = text.split('\n').length - 1
  return text === '' || text.endsWith('\n') ? ends : ends + 1
}

function sizeOf(state: FileState): string {
  if (state.kind === 'absent') return 'nothing'
  if (state.kind === 'text') return `a text of ${linesOf(state)} lines`
  return `${state.why === 'binary' ? 'a binary' : 'a large'} file of ${state.bytes} bytes`
}
