import { type Component, CURSOR_MARKER, visibleWidth } from '@earendil-works/pi-tui'
import xterm from '@xterm/headless'
import { createTheme, type Screen, type Theme } from '../ui/index.ts'

/** A theme without colours, with those of a terminal, or with signs of ASCII only. */
export const themes = {
  plain: createTheme({ env: { NO_COLOR: '1' }, isTty: true }),
  colored: createTheme({ env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' }, isTty: true }),
  ascii: createTheme({ env: { NO_COLOR: '1', DATAAGENT_ASCII: '1', TERM: 'linux' }, isTty: true }),
} satisfies Record<string, Theme>

export interface TestScreen extends Screen {
  rows: number
  columns: number
  /** How often a frame was asked for. */
  readonly frames: number
  /** How often the terminal was lent. */
  readonly lent: number
}

/** A screen that draws nothing: components are rendered by the test. */
export function createTestScreen({ columns = 80, rows = 24 } = {}): TestScreen {
  let frames = 0
  let lent = 0
  return {
    columns,
    rows,
    get frames() {
      return frames
    },
    get lent() {
      return lent
    },
    print() {},
    setLive() {},
    focus() {},
    onKey: () => () => {},
    onResize: () => () => {},
    requestRender() {
      frames++
    },
    async lend(work) {
      lent++
      return await work()
    },
    isLent: false,
    copy: () => false,
    redraw() {},
    close() {},
    [Symbol.dispose]() {},
  }
}

/** What a terminal of that size shows of a component, and where its cursor stands. */
export async function drawOnTerminal(component: Component, { columns = 40, rows = 24 } = {}) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const lines = component.render(columns)
  const row = lines.findIndex((line) => line.includes(CURSOR_MARKER))
  const before = lines[row]?.split(CURSOR_MARKER)[0] ?? ''
  await write(lines.join('\r\n').replaceAll(CURSOR_MARKER, ''))
  const shown = lines.map((_, at) =>
    terminal.buffer.active.getLine(at)?.translateToString().trimEnd(),
  )
  await write(`\u001b[${row + 1};1H${before}`)
  const { cursorX: column, cursorY } = terminal.buffer.active
  terminal.dispose()
  return { shown, cursor: { row: cursorY, column }, told: { row, column: visibleWidth(before) } }

  function write(text: string): Promise<void> {
    return new Promise((resolve) => terminal.write(text, resolve))
  }
}

/** Lines without the cursor's mark, and without the blanks at their ends. */
export function linesOf(component: Component, width = 80): string[] {
  return component.render(width).map((line) => line.replace(CURSOR_MARKER, '').trimEnd())
}
