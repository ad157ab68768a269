import type { Look } from '../look.ts'
import { createPlainStream } from '../sanitize.ts'
import { type Block, beginReading, closeOpen, copyReading, openMax, readLine } from './blocks.ts'
import { createBlockRenderer } from './render-block.ts'

/**
 * Markdown that grows. Blocks that are complete are laid out once, and are never looked at again;
 * what is open is never long, so that its layout costs the same however long the answer is.
 */
export interface MarkdownStream {
  /** More of it, as it came: control characters and all. */
  push(delta: string): void
  /** Nothing more will come. */
  end(): void
  /** Lines of the blocks that are complete, since the last time. */
  take(width: number): string[]
  /** The last lines, at most `rows`, of what was not taken and of what is open. */
  renderRest(width: number, rows: number): string[]
}

export function createMarkdownStream(look: Look): MarkdownStream {
  const plain = createPlainStream()
  const render = createBlockRenderer(look)
  const reading = beginReading()
  let complete: Block[] = []
  /** The last line, which has no end yet. */
  let partial = ''

  function feed(text: string): void {
    let from = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      readLine(reading, partial + text.slice(from, end), complete)
      partial = ''
      from = end + 1
    }
    partial += text.slice(from)
    while (partial.length > openMax) breakPartial()
  }

  /** A line without end is read in pieces, at a space where it has one. */
  function breakPartial(): void {
    const space = partial.lastIndexOf(' ', openMax)
    const at = space > openMax / 2 ? space : openMax
    readLine(reading, partial.slice(0, at), complete)
    partial = partial.slice(space > openMax / 2 ? at + 1 : at)
  }

  /** Blocks as they would be if nothing more came. */
  function openBlocks(rows: number): Block[] {
    const blocks: Block[] = []
    const copy = copyReading(reading)
    if (copy.open.kind === 'table') copy.open.rows = copy.open.rows.slice(-rows)
    if (partial !== '' && !isEndOfFence()) readLine(copy, partial, blocks)
    closeOpen(copy, blocks)
    return blocks
  }

  function isEndOfFence(): boolean {
    return reading.open.kind === 'fence' && reading.open.mark.startsWith(partial.trim())
  }

  return {
    push: (delta) => feed(plain.push(delta)),
    end() {
      feed(plain.end())
      if (partial !== '') readLine(reading, partial, complete)
      partial = ''
      closeOpen(reading, complete)
    },
    take(width) {
      if (complete.length === 0) return []
      const blocks = complete
      complete = []
      return blocks.flatMap((block) => render(block, width))
    },
    renderRest(width, rows) {
      const show = createBlockRenderer(look)
      const blocks = [...complete.slice(-rows), ...openBlocks(rows)]
      return blocks.flatMap((block) => show(block, width)).slice(-rows)
    },
  }
}

/** Markdown that is there whole. */
export function renderMarkdown(text: string, look: Look, width: number): string[] {
  const stream = createMarkdownStream(look)
  stream.push(text)
  stream.end()
  return stream.take(width)
}
