import { type Content, html, type Markup } from './markup.ts'

/** A cell, or what it holds. */
export type Cell = { content: Content; kind: 'bar' | 'text' | 'left text' | 'note' } | Content

export function toTable(head: readonly Content[], rows: readonly (readonly Cell[])[]): Markup {
  const titles = head.map((title) => html`<th>${title}</th>`)
  const top = head.length === 0 ? undefined : html`<thead><tr>${titles}</tr></thead>`
  const body = rows.map((row) => html`<tr>${row.map(toCell)}</tr>\n`)
  return html`<div class="scroll"><table>${top}<tbody>${body}</tbody></table></div>`
}

function toCell(cell: Cell): Markup {
  return typeof cell === 'object' && 'kind' in cell
    ? html`<td class="${cell.kind}">${cell.content}</td>`
    : html`<td>${cell}</td>`
}
