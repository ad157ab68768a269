import { type Call, isOver, renderCall, renderOpenCall } from '../blocks/call.ts'
import type { Render } from '../blocks/rendered.ts'
import type { Look } from '../look.ts'
import { createMarkdownStream } from '../markdown/markdown-stream.ts'
import { wrap } from '../width.ts'
import { words } from '../words.ts'

/** Entries of one group stand together; before another there is an empty line. */
export type Group = 'user' | 'text' | 'tool' | 'plan' | 'note'

/** Something of the conversation, from when it is first known until all of it is printed. */
export interface Entry {
  group: Group
  turn: number
  /** Lines that will not change, since the last time. */
  take(width: number): string[]
  /** Whether all of it has been taken, or will be with the next taking. */
  isOver(): boolean
  /** What was not taken, at most `rows` lines. */
  renderRest(width: number, rows: number, now: number): string[]
  /** All of what was taken, where only a part was shown. */
  whole?: ((width: number) => string[]) | undefined
}

interface NoteOptions {
  group: Group
  turn: number
  render: Render
  /** Of something that goes on for a while: nothing is printed before. */
  isOver?: () => boolean
  /** How it is shown until then. */
  renderOpen?: (width: number, now: number) => string[]
}

/** Something that is printed all at once. */
export function createNote(options: NoteOptions): Entry {
  const { group, turn, render, isOver: isReady = () => true, renderOpen = () => [] } = options
  const note: Entry = {
    ...{ group, turn, isOver: isReady },
    take(width) {
      if (!isReady()) return []
      const { lines, isFolded } = render(width, 'short')
      if (isFolded) note.whole = (wide) => render(wide, 'whole').lines
      return lines
    },
    renderRest(width, rows, now) {
      const lines = isReady() ? render(width, 'short').lines : renderOpen(width, now)
      return lines.slice(0, rows)
    },
  }
  return note
}

/** A call of a tool: one line as long as it runs, all of it when it is over. */
export function createCallEntry(call: Call, turn: number, look: Look): Entry {
  return createNote({
    ...{ group: 'tool', turn, isOver: () => isOver(call) },
    render: (width, extent) => renderCall(call, look, width, extent),
    renderOpen: (width, now) => renderOpenCall(call, look, width, now),
  })
}

/** Text of the model, printed block by block while it grows. */
export interface TextEntry extends Entry {
  /** More of it: of the row `seq` of the log, from `offset` on. */
  push(piece: { seq: number; offset: number; content: string; restarts: boolean }): void
  end(): void
}

export function createTextEntry(turn: number, look: Look): TextEntry {
  let stream = createMarkdownStream(look)
  let row = { seq: -1, text: '', restarts: false }
  let hasPrinted = false
  let isVoid = false
  let isEnded = false

  function restart(seq: number): void {
    isVoid ||= hasPrinted
    hasPrinted = false
    stream = createMarkdownStream(look)
    row = { seq, text: '', restarts: true }
  }

  /** A row that restarts comes once more, whole, when it is logged. */
  function isRepeated(seq: number, content: string): boolean {
    return row.restarts && row.seq === seq && content.startsWith(row.text)
  }

  function voidLines(width: number): string[] {
    return ['', ...wrap(words.restarted[look.lang], width).map(look.theme.dim), '']
  }

  return {
    ...{ group: 'text', turn },
    push({ seq, offset, content, restarts }) {
      if (restarts && offset === 0 && !isRepeated(seq, content)) restart(seq)
      if (row.seq !== seq) row = { seq, text: '', restarts: false }
      const fresh = content.slice(Math.max(0, row.text.length - offset))
      row.text += fresh
      stream.push(fresh)
    },
    end() {
      if (!isEnded) stream.end()
      isEnded = true
    },
    take(width) {
      const lines = stream.take(width)
      if (lines.length === 0) return []
      hasPrinted = true
      if (!isVoid) return lines
      isVoid = false
      return [...voidLines(width), ...lines]
    },
    isOver: () => isEnded,
    renderRest(width, rows) {
      const rest = stream.renderRest(width, rows)
      return (isVoid ? [...voidLines(width), ...rest] : rest).slice(-rows)
    },
  }
}
