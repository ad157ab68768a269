import xterm from '@xterm/headless'

/** What a terminal shows and has done after text was written to it. */
export interface Shown {
  /** Lines as they are on the screen, without the empty end of each. */
  lines: string[]
  /** The column at which a text begins in a line, in cells. */
  columnOf(line: number, text: string): number
  cursor: { column: number; row: number }
  /** Whether any cell has a colour or another attribute. */
  hasStyle: boolean
  /** Titles, bells, answers, clipboard, modes: all that text alone never does. */
  acts: string[]
}

/** Writes lines to a terminal of its own. */
export async function showLines(lines: readonly string[], columns = 200): Promise<Shown> {
  const rows = Math.max(2, lines.length + 1)
  const options = { cols: columns, rows, scrollback: 10_000, allowProposedApi: true }
  const terminal = new xterm.Terminal(options)
  const acts: string[] = []
  terminal.onTitleChange((title) => acts.push(`title ${title}`))
  terminal.onBell(() => acts.push('bell'))
  terminal.onData((data) => acts.push(`answer ${data}`))
  terminal.buffer.onBufferChange(() => acts.push('buffer'))
  terminal.parser.registerOscHandler(52, () => acts.push('clipboard') > 0)
  terminal.parser.registerOscHandler(8, () => acts.push('link') > 0)
  const before = JSON.stringify(terminal.modes)
  await new Promise<void>((resolve) => terminal.write(lines.join('\r\n'), resolve))
  if (JSON.stringify(terminal.modes) !== before) acts.push('modes')
  const shown = read(terminal, acts)
  terminal.dispose()
  return shown
}

function read(terminal: xterm.Terminal, acts: string[]): Shown {
  const { active } = terminal.buffer
  const all = Array.from({ length: active.length }, (_, at) => active.getLine(at))
  const lines = all.map((line) => line?.translateToString(true) ?? '')
  const hasStyle = all.some((line) => line && cellsOf(line).some(isStyled))
  return {
    ...{ lines, acts, hasStyle },
    cursor: { column: active.cursorX, row: active.baseY + active.cursorY },
    columnOf: (line, text) => findColumn(all[line], text),
  }
}

function cellsOf(line: xterm.IBufferLine) {
  return Array.from({ length: line.length }, (_, at) => line.getCell(at))
}

function isStyled(cell: xterm.IBufferCell | undefined): boolean {
  return cell !== undefined && !cell.isAttributeDefault()
}

function findColumn(line: xterm.IBufferLine | undefined, text: string): number {
  for (let at = 0; line && at < line.length; at++) {
    if (line.translateToString(true, at).startsWith(text)) return at
  }
  return -1
}

/** The colours of a line, without its text. */
export function codesOf(line: string): string {
  const sequences = line.split('\u001b').slice(1)
  return sequences.map((each) => `\u001b${each.slice(0, each.indexOf('m') + 1)}`).join('')
}
