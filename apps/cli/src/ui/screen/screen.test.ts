import type { Component } from '@earendil-works/pi-tui'
import xterm from '@xterm/headless'
import { expect, test } from 'vitest'
import { createScreen } from './screen.ts'

/** A screen on a terminal without a window, and how often the terminal was given back. */
function openScreen({ columns = 20, rows = 6 } = {}) {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const drawn = { stops: 0, waiting: Promise.withResolvers<void>() }
  const screen = createScreen({
    terminal: {
      ...{ columns, rows, start() {} },
      stop: () => void drawn.stops++,
      write(data) {
        terminal.write(data)
        drawn.waiting.resolve()
      },
    },
  })
  return {
    screen,
    stops: () => drawn.stops,
    /** What stands there once a frame was written. */
    async shown() {
      await drawn.waiting.promise
      await new Promise<void>((resolve) => terminal.write('', resolve))
      const { active } = terminal.buffer
      const lines = Array.from({ length: rows }, (_, row) =>
        active.getLine(row)!.translateToString(true),
      )
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
    },
  }
}

const part = (render: Component['render']): Component => ({ render, invalidate() {} })

test('a part that cannot be drawn does not keep the terminal, nor what was printed', async () => {
  const { screen, stops, shown } = openScreen()
  screen.print(['the last words'])
  screen.setLive([
    part(() => {
      throw new Error('boom')
    }),
  ])
  screen.close()
  screen.close()
  expect(stops()).toBe(1)
  expect(await shown()).toEqual(['the last words'])
})

test('a line that is wider than the screen is cut', async () => {
  const { screen, shown } = openScreen({ columns: 10 })
  screen.setLive([part(() => ['0123456789abc', '一二三四五六', 'below'])])
  expect(await shown()).toEqual(['0123456789', '一二三四五', 'below'])
  screen.close()
})
