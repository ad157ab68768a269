import { formatPatch, structuredPatch } from 'diff'

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

/** Texts that together have more are not compared line by line. */
export const comparedChars = 2 * 1024 * 1024
const shownChars = 64 * 1024
const maxEditLength = 2_000
const timeoutMs = 50

/** What changed in a file. Takes bounded time: what would take longer is summarised. */
export function diffOf(path: string, before: FileState, after: FileState): FileDiff {
  if (before.kind === 'opaque' || after.kind === 'opaque') return summarise(path, before, after)
  const [old, now] = [textOf(before), textOf(after)]
  if (before.kind === after.kind && old === now) return { diff: '', additions: 0, deletions: 0 }
  if (old.length + now.length > comparedChars) return summarise(path, before, after)
  const [from, to] = headsOf(path, before, after)
  const options = { context: 3, maxEditLength, timeout: timeoutMs }
  const patch = structuredPatch(from, to, old, now, undefined, undefined, options)
  if (patch === undefined) return summarise(path, before, after)
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  return {
    diff: shorten(formatPatch(patch).replace(/^={3,}\n/, '')),
    additions: lines.filter((line) => line.startsWith('+')).length,
    deletions: lines.filter((line) => line.startsWith('-')).length,
  }
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

/** All between the first and the last line that differ as one replacement, told but not shown. */
function summarise(path: string, before: FileState, after: FileState): FileDiff {
  const { additions, deletions } = countBlock(before, after)
  const [from, to] = headsOf(path, before, after)
  const words = `\\ Not shown: ${sizeOf(before)} became ${sizeOf(after)}`
  return { diff: `--- ${from}\n+++ ${to}\n${words}\n`, additions, deletions }
}

function countBlock(before: FileState, after: FileState): Omit<FileDiff, 'diff'> {
  if (before.kind !== 'text' || after.kind !== 'text') {
    return { additions: linesOf(after), deletions: linesOf(before) }
  }
  const [old, now] = [before.text.split('\n'), after.text.split('\n')]
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  return { additions: now.length - head - tail, deletions: old.length - head - tail }
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
