import type { StructuredPatch } from 'diff'

type Hunk = StructuredPatch['hunks'][number]

const context = 3

/**
 * What differs between two texts as one block: all lines from the first that differs to the last.
 * In linear time, where the smallest difference would take long to find.
 */
export function toBlock(before: string, after: string): Hunk {
  const [old, now] = [toLines(before), toLines(after)]
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const from = Math.max(0, head - context)
  const last = Math.max(0, tail - context)
  const oldEnd = old.length - tail
  return {
    oldStart: from + 1,
    oldLines: old.length - last - from,
    newStart: from + 1,
    newLines: now.length - last - from,
    lines: [
      ...old.slice(from, head).flatMap(toMarked(' ')),
      ...old.slice(head, oldEnd).flatMap(toMarked('-')),
      ...now.slice(head, now.length - tail).flatMap(toMarked('+')),
      ...old.slice(oldEnd, old.length - last).flatMap(toMarked(' ')),
    ],
  }
}

/** With their ends: a last line without one is another than the same with one. */
function toLines(text: string): string[] {
  const lines = text.split('\n')
  const last = lines.pop()
  const ended = lines.map((line) => `${line}\n`)
  return last === '' || last === undefined ? ended : [...ended, last]
}

function toMarked(mark: string): (line: string) => string[] {
  return (line) =>
    line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file']
}
