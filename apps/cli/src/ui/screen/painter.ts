import { visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'

/** Where the hardware cursor belongs: input methods show their candidates there. */
export interface CursorCell {
  row: number
  col: number
}

export interface Frame {
  /** Above the live area, for good. */
  print: readonly string[]
  live: readonly string[]
  /** Hidden where there is none. */
  cursor: CursorCell | undefined
}

export interface Size {
  columns: number
  rows: number
}

/**
 * Knows what the live area shows and gives the bytes that turn it into the next one. No line may be
 * wider than the screen. Nothing above the live area is written again but for one case: where the
 * width has changed nobody knows where terminals have put what stood there, and the screen, not its
 * scrollback, is written anew with the last of what was printed.
 */
export interface Painter {
  paint(frame: Frame, size: Size): string
  /** What is live is drawn anew, in whatever state the terminal is; printed lines stay. */
  forget(): void
  /** Takes the live area away: the next thing is written below what was printed. */
  leave(): string
}

const [begin, end] = ['\x1b[?2026h', '\x1b[?2026l']
const [hide, show] = ['\x1b[?25l', '\x1b[?25h']
const home = '\x1b[H'
const recentMax = 500
const eraseRight = '\x1b[K'
const eraseBelow = '\x1b[J'

export function createPainter(): Painter {
  let shown: readonly string[] = []
  /** Row of the live area on which the cursor is, and its column. */
  let at: CursorCell = { row: 0, col: 0 }
  let isStale = false
  let width: number | undefined
  /** What was printed last, for a screen of another width. */
  let recent: string[] = []

  function keep(print: readonly string[]): void {
    for (const line of print.slice(-recentMax)) recent.push(line)
    if (recent.length > 2 * recentMax) recent = recent.slice(-recentMax)
  }

  function writeScreen({ live }: Frame, { columns, rows }: Size): string {
    // Without a live area the cursor is on a row of its own, below what was printed.
    const below = live.length === 0 ? [''] : live
    const room = Math.max(0, rows - below.length)
    const lines = recent.slice(-room).flatMap((line) => wrapTextWithAnsi(line, columns))
    const shownLines = [...(room === 0 ? [] : lines.slice(-room)), ...below]
    return `${home}${eraseBelow}${shownLines.map(closed).join('\r\n')}`
  }

  function replaceAll({ print, live }: Frame): string {
    const lines = [...print, ...live].map((line) => closed(line))
    const after = live.length === 0 && print.length > 0 ? '\r\n' : ''
    return `${toTop(at.row)}${eraseBelow}${lines.join('\r\n')}${after}`
  }

  /** Rows that are as they were are passed over. */
  function replaceChanged({ live }: Frame, columns: number): string {
    const first = live.findIndex((line, row) => line !== shown[row])
    const from = first === -1 ? Math.min(live.length, shown.length) : first
    if (from === live.length && from === shown.length) return ''
    let out = ''
    let row = at.row
    for (let next = from; next < live.length; next++) {
      const line = live[next]!
      if (line === shown[next]) continue
      out += `${toRow(row, next, shown.length)}${overwrite(line, columns)}`
      row = next
    }
    const last = Math.max(0, live.length - 1)
    if (shown.length > live.length) {
      out += `${toRow(row, last, shown.length)}${live.length === 0 ? '' : '\r\n'}${eraseBelow}`
      if (live.length > 0) out += '\x1b[A'
      row = last
    }
    return out + toRow(row, last, shown.length)
  }

  return {
    paint(frame, size) {
      const { live, cursor, print } = frame
      const { columns } = size
      const isOther = width !== undefined && width !== columns
      width = columns
      keep(print)
      const isWhole = isStale || print.length > 0 || shown.length === 0
      const drawn = isWhole ? replaceAll(frame) : replaceChanged(frame, columns)
      const body = isOther ? writeScreen(frame, size) : drawn
      const isMoved = cursor !== undefined && (cursor.row !== at.row || cursor.col !== at.col)
      if (body === '' && !isMoved && cursor !== undefined) return ''
      const last = Math.max(0, live.length - 1)
      const stands = body === '' ? at.row : last
      const place = cursor
        ? `${toRow(stands, cursor.row, live.length)}\x1b[${cursor.col + 1}G${show}`
        : ''
      shown = [...live]
      at = cursor ?? { row: last, col: 0 }
      isStale = false
      return `${begin}${hide}${body}${place}${end}`
    },

    forget() {
      isStale = true
    },

    leave() {
      const out = `${toTop(at.row)}${eraseBelow}${show}`
      shown = []
      at = { row: 0, col: 0 }
      return out
    },
  }
}

function toTop(row: number): string {
  return row > 0 ? `\x1b[${row}A\r` : '\r'
}

/** Rows that are not there yet are made, so that the terminal scrolls where it must. */
function toRow(from: number, to: number, there: number): string {
  if (to < from) return `\x1b[${from - to}A\r`
  const made = Math.max(0, to - Math.max(from, there - 1))
  const down = to - from - made
  return `${down > 0 ? `\x1b[${down}B` : ''}${'\n'.repeat(made)}\r`
}

function overwrite(line: string, columns: number): string {
  // At the right edge there is nothing to erase, and some terminals would take the last cell.
  return visibleWidth(line) < columns ? `${closed(line)}${eraseRight}` : closed(line)
}

function closed(line: string): string {
  return line.includes('\x1b') ? `${line}\x1b[0m` : line
}
