import {
  type Component,
  CURSOR_MARKER,
  isFocusable,
  isKeyRelease,
  type Terminal,
  visibleWidth,
} from '@earendil-works/pi-tui'
import { toClipboardSequence } from '../clipboard.ts'
import type { Screen } from '../contract.ts'
import { cut, widthOf } from '../width.ts'
import { createPainter, type Frame } from './painter.ts'

export interface ScreenOptions {
  terminal: Pick<Terminal, 'start' | 'stop' | 'write' | 'columns' | 'rows'>
  /** Bytes that the terminal has not taken yet, where that is known. */
  waiting?: () => number
  /** Called when the terminal has taken them. */
  onDrain?: (handle: () => void) => void
}

/** Thirty a second: more is not seen, and costs. */
const frameMs = 33
/** A terminal that is behind gets no frame before it has taken what it was given. */
const waitingMax = 256 * 1024
/** Lines of one frame: what is more comes with the next. */
const printMax = 2_000

/** Takes the terminal over; see `Screen`. */
export function createScreen({ terminal, waiting, onDrain }: ScreenOptions): Screen {
  const painter = createPainter()
  const keyHandlers: ((data: string) => boolean)[] = []
  const resizeHandlers = new Set<() => void>()
  let live: readonly Component[] = []
  let focused: Component | undefined
  let unprinted: string[] = []
  let timer: NodeJS.Timeout | undefined
  let drawnAt = -Infinity
  let state: 'open' | 'lent' | 'closed' = 'open'

  function draw(): void {
    timer = undefined
    if (state !== 'open') return
    if ((waiting?.() ?? 0) > waitingMax) {
      onDrain?.(requestRender)
      return
    }
    // First: a part that cannot be drawn does not take what was printed with it.
    const composed = composeLive()
    const print = unprinted.length > printMax ? unprinted.splice(0, printMax) : unprinted
    if (print === unprinted) unprinted = []
    write({ ...composed, print })
    drawnAt = performance.now()
    if (unprinted.length > 0) requestRender()
  }

  function write(frame: Frame): void {
    const { columns, rows } = terminal
    const bytes = painter.paint(frame, { columns, rows })
    if (bytes !== '') terminal.write(bytes)
  }

  /** The lines of all parts, no more than the screen has: what is lowest is needed most. */
  function composeLive(): Pick<Frame, 'live' | 'cursor'> {
    const { columns, rows } = terminal
    const lines = live.flatMap((component) => component.render(columns)).slice(-rows)
    const row = lines.findIndex((line) => line.includes(CURSOR_MARKER))
    const [before = '', ...after] = lines[row]?.split(CURSOR_MARKER) ?? []
    if (row !== -1) lines[row] = before + after.join('')
    const col = Math.min(visibleWidth(before), columns - 1)
    return {
      live: lines.map((line) => (widthOf(line) > columns ? cut(line, columns, '') : line)),
      cursor: row === -1 ? undefined : { row, col },
    }
  }

  function requestRender(): void {
    if (timer !== undefined || state !== 'open') return
    const waitMs = Math.max(0, drawnAt + frameMs - performance.now())
    timer = setTimeout(draw, waitMs)
  }

  function take(data: string): void {
    if (isKeyRelease(data)) return
    // The one that came last is nearest to the person.
    if (!keyHandlers.toReversed().some((handle) => handle(data))) focused?.handleInput?.(data)
    requestRender()
  }

  function resize(): void {
    for (const component of live) component.invalidate()
    for (const handle of resizeHandlers) handle()
    requestRender()
  }

  /** Nothing live is drawn any more: whatever cannot be, the terminal is given back. */
  function leave(): void {
    clearTimeout(timer)
    timer = undefined
    const print = unprinted
    unprinted = []
    try {
      write({ print, live: [], cursor: undefined })
      terminal.write(painter.leave())
    } finally {
      terminal.stop()
    }
  }

  function close(): void {
    const wasOpen = state === 'open'
    state = 'closed'
    if (wasOpen) leave()
  }

  terminal.start(take, resize)
  return {
    get columns() {
      return terminal.columns
    },
    get rows() {
      return terminal.rows
    },
    print(lines) {
      for (const line of lines) unprinted.push(line)
      requestRender()
    },
    setLive(components) {
      live = components
      requestRender()
    },
    focus(component) {
      if (focused && isFocusable(focused)) focused.focused = false
      focused = component
      if (focused && isFocusable(focused)) focused.focused = true
      requestRender()
    },
    onKey(handle) {
      keyHandlers.push(handle)
      return () => void keyHandlers.splice(keyHandlers.indexOf(handle), 1)
    },
    onResize(handle) {
      resizeHandlers.add(handle)
      return () => void resizeHandlers.delete(handle)
    },
    requestRender,
    get isLent() {
      return state === 'lent'
    },
    async lend(work) {
      state = 'lent'
      try {
        leave()
        return await work()
      } finally {
        if (state === 'lent') {
          state = 'open'
          terminal.start(take, resize)
          requestRender()
        }
      }
    },
    copy(text) {
      const sequence = toClipboardSequence(text)
      if (sequence !== undefined) terminal.write(sequence)
      return sequence !== undefined
    },
    redraw() {
      painter.forget()
      requestRender()
    },
    close,
    [Symbol.dispose]: close,
  }
}
