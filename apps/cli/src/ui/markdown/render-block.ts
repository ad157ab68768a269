import type { Look } from '../look.ts'
import { renderHead, renderRows } from '../table/render-table.ts'
import { layOutTable, type TableLayout } from '../table/table-layout.ts'
import { cut, widthOf, wrap, wrapWith } from '../width.ts'
import { type Block, beginReading, closeOpen, type OpenTable, readLine } from './blocks.ts'
import { renderInline } from './inline.ts'

/** Lays out blocks one after the other; of a table that goes on it remembers the columns. */
export type RenderBlock = (block: Block, width: number) => string[]

const depthMax = 3

export function createBlockRenderer(look: Look, depth = 0): RenderBlock {
  const layouts = new WeakMap<OpenTable, { layout: TableLayout; width: number }>()
  const { theme } = look

  function renderTablePart(block: Block & { kind: 'table' }, width: number): string[] {
    const rows = block.rows.map((row) => row.map((cell) => renderInline(cell, theme)))
    const known = layouts.get(block.table)
    if (known?.width === width) return renderRows(known.layout, rows, look)
    const columns = block.table.columns.map(({ title, align }) => ({
      ...{ title: renderInline(title, theme), align },
    }))
    const layout = layOutTable({ columns, rows }, width)
    if (!block.isLast) layouts.set(block.table, { layout, width })
    const head = block.isFirst ? renderHead(layout, look, width) : []
    return [...head, ...renderRows(layout, rows, look)]
  }

  function renderQuote(text: string, width: number): string[] {
    const mark = theme.dim(theme.isAscii ? '| ' : '│ ')
    const inner = depth < depthMax ? renderNested(text, width - 2) : wrap(text, width - 2)
    return inner.map((line) => mark + line)
  }

  function renderNested(text: string, width: number): string[] {
    const render = createBlockRenderer(look, depth + 1)
    const [reading, blocks]: [ReturnType<typeof beginReading>, Block[]] = [beginReading(), []]
    for (const line of text.split('\n')) readLine(reading, line, blocks)
    closeOpen(reading, blocks)
    return blocks.flatMap((block) => render(block, width))
  }

  return (block, width) => {
    switch (block.kind) {
      case 'gap':
        return ['']
      case 'rule':
        return [theme.dim(theme.glyphs.line.repeat(Math.min(width, 40)))]
      case 'heading':
        return renderHeading(block, look, width)
      case 'paragraph': {
        const space = ' '.repeat(indentOf(block.indent, width))
        return wrapWith(space, space, renderInline(block.text, theme), width)
      }
      case 'item':
        return renderItem(block, look, width)
      case 'fence':
        return renderFence(block, look, width)
      case 'code':
        return renderCode(block, look, width)
      case 'quote':
        return renderQuote(block.text, width)
      case 'table':
        return renderTablePart(block, width)
    }
  }
}

function indentOf(indent: number, width: number): number {
  return Math.min(indent, Math.floor(width / 3))
}

/** Where there are no colours, the marks say that it is a heading. */
function renderHeading(
  { depth, text }: Block & { kind: 'heading' },
  { theme }: Look,
  width: number,
) {
  const inner = renderInline(text, theme)
  const shown = theme.heading('x') === 'x' ? `${'#'.repeat(depth)} ${inner}` : inner
  return wrap(shown, width).map((line) => theme.heading(line))
}

function renderItem(block: Block & { kind: 'item' }, { theme }: Look, width: number): string[] {
  const { glyphs } = theme
  const [, box, rest] = /^\[([ xX])\] +([\s\S]*)$/.exec(block.text) ?? []
  const bullet = /^\d/.test(block.marker) ? block.marker : glyphs.bullet
  const checked = box === ' ' ? glyphs.pending : theme.good(glyphs.done)
  const marker = box === undefined ? theme.accent(bullet) : checked
  const space = ' '.repeat(indentOf(block.indent, width))
  const first = `${space}${marker} `
  const text = renderInline(rest ?? block.text, theme)
  return wrapWith(first, ' '.repeat(widthOf(first)), text, width)
}

function renderFence({ indent, lang }: Block & { kind: 'fence' }, { theme }: Look, width: number) {
  if (lang === '') return []
  const space = ' '.repeat(indentOf(indent, width))
  const label = `${theme.glyphs.line.repeat(2)} ${lang}`
  return [space + theme.dim(cut(label, width - space.length, theme.glyphs.ellipsis))]
}

function renderCode(block: Block & { kind: 'code' }, { theme }: Look, width: number): string[] {
  const { indent, lang, text } = block
  const paint = lang === 'diff' ? paintOfDiff(text, theme) : theme.code
  const space = ' '.repeat(indentOf(indent + 2, width))
  return wrap(text, width - space.length).map((line) => (line === '' ? '' : space + paint(line)))
}

function paintOfDiff(line: string, theme: Look['theme']) {
  if (line.startsWith('+')) return theme.added
  return line.startsWith('-') ? theme.removed : theme.code
}
