import { type Citations, citationPattern } from '@dataagent/schema'

type Span = Citations['uncovered'][number]

/** Numbers to be marked, at their places within the text that is shown. */
export interface MarkOptions {
  spans: readonly Span[]
}

/** What of a tree of HTML is needed here. */
export interface TreeNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: TreeNode[]
  position?: { start: { offset?: number | undefined }; end: { offset?: number | undefined } }
}

/** Where text stays as it is: code, and what a click opens. */
const untouched = new Set(['code', 'pre', 'a'])

/**
 * Makes `[q1]` an element `cite`, and each number that no query has given a `mark`. It works on
 * text alone, after what is unsafe was taken out.
 */
export function markCitations({ spans }: MarkOptions = { spans: [] }) {
  return (tree: unknown): void => walk(tree as TreeNode, spans)
}

function walk(node: TreeNode, spans: readonly Span[]): void {
  if (!node.children || untouched.has(node.tagName ?? '')) return
  node.children = node.children.flatMap((child) => {
    if (child.type === 'text') return toPieces(child, spans)
    walk(child, spans)
    return [child]
  })
}

interface Found {
  from: number
  to: number
  tagName: 'cite' | 'mark'
}

function toPieces(node: TreeNode, spans: readonly Span[]): TreeNode[] {
  const text = node.value ?? ''
  const cited = [...text.matchAll(citationPattern)].map(({ index, 0: { length } }): Found => {
    return { from: index, to: index + length, tagName: 'cite' }
  })
  const found = [...cited, ...placesOf(node, text, spans)].sort((a, b) => a.from - b.from)
  const pieces: TreeNode[] = []
  let end = 0
  for (const { from, to, tagName } of found) {
    if (from < end) continue
    if (from > end) pieces.push({ type: 'text', value: text.slice(end, from) })
    const inner = { type: 'text', value: text.slice(from, to) }
    pieces.push({ type: 'element', tagName, properties: {}, children: [inner] })
    end = to
  }
  if (end === 0) return [node]
  return end < text.length ? [...pieces, { type: 'text', value: text.slice(end) }] : pieces
}

/** Where the numbers are in this piece of text. A place whose text is another is none. */
function placesOf(node: TreeNode, text: string, spans: readonly Span[]): Found[] {
  const start = node.position?.start.offset
  const end = node.position?.end.offset
  if (start === undefined || end === undefined) return []
  let searched = 0
  return spans.flatMap((span) => {
    if (span.from < start || span.to > end) return []
    const exact = span.from - start
    const isExact = text.startsWith(span.text, exact)
    // Escapes and line breaks shift what comes after them.
    const from = isExact ? exact : text.indexOf(span.text, searched)
    if (from === -1 || span.text === '') return []
    searched = from + span.text.length
    return [{ from, to: searched, tagName: 'mark' as const }]
  })
}
