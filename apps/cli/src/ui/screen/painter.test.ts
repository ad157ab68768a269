import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { createPainter, type Frame } from './painter.ts'

function openTerminal(cols = 20, rows = 6) {
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 1_000, allowProposedApi: true })
  const painter = createPainter()
  const bytes: string[] = []
  const write = (data: string) => new Promise<void>((resolve) => terminal.write(data, resolve))
  return {
    terminal,
    painter,
    bytes,
    write,
    async paint(frame: Partial<Frame>) {
      const given = { print: [], live: [], cursor: undefined, ...frame }
      const data = painter.paint(given, { columns: terminal.cols, rows: terminal.rows })
      bytes.push(data)
      await write(data)
    },
    /** Every line, also what has scrolled away. */
    lines() {
      const { buffer } = terminal
      const all = Array.from({ length: buffer.active.length }, (_, row) =>
        buffer.active.getLine(row)!.translateToString(true),
      )
      return all.slice(0, all.findLastIndex((line) => line !== '') + 1)
    },
    cursor() {
      const { cursorX, cursorY, baseY } = terminal.buffer.active
      return { row: baseY + cursorY, col: cursorX }
    },
  }
}

test('the live area follows what is printed, and is drawn in place', async () => {
  const at = openTerminal()
  await at.paint({ live: ['> ', 'status'], cursor: { row: 0, col: 2 } })
  await at.paint({ print: ['one', 'two'], live: ['> a', 'status'], cursor: { row: 0, col: 3 } })
  expect(at.lines()).toEqual(['one', 'two', '> a', 'status'])
  expect(at.cursor()).toEqual({ row: 2, col: 3 })
  await at.paint({ live: ['> ab', 'status'], cursor: { row: 0, col: 4 } })
  expect(at.lines()).toEqual(['one', 'two', '> ab', 'status'])
  expect(at.cursor()).toEqual({ row: 2, col: 4 })
})

test('it grows and shrinks, and leaves nothing behind', async () => {
  const at = openTerminal()
  const live = (count: number) => Array.from({ length: count }, (_, row) => `line ${row}`)
  for (const count of [1, 4, 2, 6, 3, 0, 5, 1]) {
    await at.paint({ live: live(count) })
    expect(at.lines()).toEqual(live(count))
  }
})

test('what is printed scrolls into the scrollback whole, once and in order', async () => {
  const at = openTerminal()
  const printed = Array.from({ length: 300 }, (_, row) => `printed ${row}`)
  for (let next = 0; next < printed.length; next += 7) {
    const print = printed.slice(next, next + 7)
    await at.paint({ print, live: ['a', `b${next}`, 'c'], cursor: { row: 1, col: 1 } })
  }
  expect(at.lines()).toEqual([...printed, 'a', `b${294}`, 'c'])
})

test('a frame that changes one row writes that row alone', async () => {
  const at = openTerminal(60)
  const live = ['first row', 'second row', 'third row']
  await at.paint({ live, cursor: { row: 2, col: 0 } })
  await at.paint({ live: ['first row', 'SECOND ROW', 'third row'], cursor: { row: 2, col: 0 } })
  expect(at.bytes.at(-1)).toContain('SECOND ROW')
  expect(at.bytes.at(-1)).not.toMatch(/first|third/)
  await at.paint({ live: ['first row', 'SECOND ROW', 'third row'], cursor: { row: 2, col: 0 } })
  expect(at.bytes.at(-1)).toBe('')
})

test('every frame is one synchronised update, without clearing the screen', async () => {
  const at = openTerminal()
  await at.paint({ print: ['x'], live: ['y'] })
  await at.paint({ live: ['z'] })
  for (const data of at.bytes) {
    expect(data.startsWith('\x1b[?2026h')).toBe(true)
    expect(data.endsWith('\x1b[?2026l')).toBe(true)
    expect(data).not.toContain('\x1b[2J')
    expect(data).not.toContain('\x1b[3J')
  }
})

test('lines as wide as the screen keep their last cell', async () => {
  const at = openTerminal(10)
  await at.paint({ live: ['0123456789', '一二三四五'] })
  await at.paint({ live: ['9876543210', '五四三二一'] })
  expect(at.lines()).toEqual(['9876543210', '五四三二一'])
})

test.each([
  [40, 14],
  [14, 40],
  [30, 11],
])('from %i to %i columns the live area stands once, what was printed stays', async (from, to) => {
  const at = openTerminal(from, 10)
  const live = (columns: number) => ['─'.repeat(columns), '> 你好', 'status']
  await at.paint({ print: ['one', 'two'], live: live(from), cursor: { row: 1, col: 6 } })
  at.terminal.resize(to, 10)
  await at.paint({ live: live(to), cursor: { row: 1, col: 6 } })
  expect(at.lines()).toEqual(['one', 'two', ...live(to)])
})

test('leaving it, the live area is gone and the next thing follows what was printed', async () => {
  const at = openTerminal()
  await at.paint({ print: ['one'], live: ['a', 'b', 'c'], cursor: { row: 0, col: 0 } })
  await at.write(at.painter.leave())
  await at.write('$')
  expect(at.lines()).toEqual(['one', '$'])
})

test('left while the width changes, what was printed last is not written over', async () => {
  const at = openTerminal()
  await at.paint({ print: ['one'], live: ['a', 'b'], cursor: { row: 0, col: 0 } })
  at.terminal.resize(30, 6)
  await at.paint({ print: ['two'], live: [] })
  await at.write(at.painter.leave())
  await at.write('$')
  expect(at.lines()).toEqual(['one', 'two', '$'])
})
