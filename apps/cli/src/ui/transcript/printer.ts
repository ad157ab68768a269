import { unfolded } from '../blocks/rendered.ts'
import { type Look, say } from '../look.ts'
import { cut } from '../width.ts'
import { words } from '../words.ts'
import { createNote, type Entry, type Group } from './entry.ts'

/** Entries in their order: what is complete is printed, what follows the first open one is live. */
export interface Printer {
  add(entry: Entry): void
  /** Leaves out the oldest turns of a long history that nobody has taken meanwhile. */
  forget(): void
  take(width: number): string[]
  renderLive(at: { width: number; rows: number; now: number; last: string[] }): string[]
  expandLast(width: number): string[] | undefined
}

export function createPrinter(look: Look, turnsMax: number): Printer {
  const entries: Entry[] = []
  let left = 0
  /** Of what was printed last. */
  let group: Group | undefined
  let begun: Entry | undefined
  let whole: Entry['whole']

  function leaveOut(most: number): void {
    const newest = entries.at(-1)?.turn ?? 0
    const oldest = entries[0]?.turn ?? newest
    if (newest - oldest < most) return
    const from = newest - turnsMax + 1
    const first = entries.findIndex(({ turn }) => turn >= from)
    entries.splice(0, first)
    left += from - oldest
  }

  /** Where turns were left out, it says so before the first that is there. */
  function tellLeftOut(): void {
    const first = entries[0]
    if (left === 0 || !first) return
    const text = `${look.theme.glyphs.ellipsis} ${say(look, words.earlierTurns(left))}`
    const render = (width: number) => unfolded([look.theme.dim(cut(text, width))])
    entries.unshift(createNote({ group: 'note', turn: first.turn, render }))
    left = 0
  }

  return {
    add: (entry) => entries.push(entry),
    forget: () => leaveOut(turnsMax * 3),
    take(width) {
      leaveOut(turnsMax)
      tellLeftOut()
      const lines: string[] = []
      for (let entry = entries[0]; entry; entry = entries[0]) {
        const taken = entry.take(width)
        if (taken.length > 0) {
          if (entry !== begun && isApart(group, entry.group)) lines.push('')
          // Not as arguments: there may be more than a call can take.
          for (const line of taken) lines.push(line)
          group = entry.group
          begun = entry
          whole = entry.whole ?? whole
        }
        if (!entry.isOver()) break
        entries.shift()
      }
      return lines
    },
    renderLive({ width, rows, now, last }) {
      const lines: string[] = []
      let before = group
      // Almost each of them has a line: no more could be seen.
      for (const entry of entries.slice(-rows - 1)) {
        const rest = entry.renderRest(width, rows, now)
        if (rest.length === 0) continue
        if (entry !== begun && isApart(before, entry.group)) lines.push('')
        lines.push(...rest)
        before = entry.group
      }
      if (last.length > 0 && (lines.length > 0 || before !== undefined)) lines.push('')
      return toTail([...lines, ...last], look, rows)
    },
    expandLast: (width) => whole?.(width),
  }
}

function isApart(before: Group | undefined, after: Group): boolean {
  if (before === undefined) return false
  return before !== after || after === 'user' || after === 'text'
}

/** The last lines; the first of them says that there are others above. */
function toTail(lines: string[], { theme }: Look, rows: number): string[] {
  if (lines.length <= rows) return lines
  const tail = rows <= 0 ? [] : lines.slice(-rows)
  return rows < 3 ? tail : [theme.dim(theme.glyphs.ellipsis), ...tail.slice(1)]
}
