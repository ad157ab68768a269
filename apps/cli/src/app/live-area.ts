import type { Component } from '@earendil-works/pi-tui'
import type { Screen, Transcript } from '../ui/index.ts'

export interface LiveAreaOptions {
  screen: Screen
  /** The conversation that is shown now. */
  transcript(): Transcript
  /** Lines above the prompt: the plan, what is waited for. */
  above(width: number): string[]
  /** Something of it moves by itself. */
  isMoving(): boolean
  /** The line at the bottom. */
  status(width: number): string
  prompt: Component
}

/** What is below the scrollback: what is under way, the prompt or a question, the status line. */
export interface LiveArea extends Disposable {
  /** Puts it in the place of the prompt, until the function that is given back is called. */
  show(component: Component): () => void
  /** What is final goes to the scrollback, the rest is drawn. */
  update(): void
}

/** How often what moves by itself is drawn. */
const tickMs = 100
/** Rows that the prompt, the status line and a blank one need at least. */
const keptRows = 8

export function createLiveArea(options: LiveAreaOptions): LiveArea {
  const { screen, transcript, prompt } = options
  const shown: Component[] = []
  let timer: NodeJS.Timeout | undefined
  let isOver = false

  const underWay: Component = {
    render: (width) => transcript().renderLive(width, Math.max(3, screen.rows - keptRows)),
    invalidate: () => {},
  }
  const above: Component = { render: (width) => options.above(width), invalidate: () => {} }
  const status: Component = {
    render: (width) => [options.status(width)],
    invalidate: () => {},
  }

  function place(): void {
    const middle = shown.at(-1) ?? prompt
    screen.setLive([underWay, above, middle, status])
    screen.focus(middle)
  }

  function update(): void {
    if (isOver) return
    const lines = transcript().takeLines(screen.columns)
    if (lines.length > 0) screen.print(lines)
    screen.requestRender()
    if (transcript().isMoving || options.isMoving()) timer ??= setInterval(update, tickMs)
    else stop()
  }

  function stop(): void {
    clearInterval(timer)
    timer = undefined
  }

  place()
  return {
    show(component) {
      shown.push(component)
      place()
      return () => {
        const index = shown.indexOf(component)
        if (index === -1) return
        shown.splice(index, 1)
        place()
      }
    },
    update,
    [Symbol.dispose]() {
      isOver = true
      stop()
    },
  }
}
