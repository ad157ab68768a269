import { type ArrayNode, endOfComment, endOfTrivia, type ObjectNode } from './parse-jsonc.ts'

interface Edit {
  start: number
  end: number
  text: string
}

/** A change of a text, and whether comments went with what it took out. */
export interface Edited {
  text: string
  losesComments: boolean
}

/** With `child` as the last of `container`: its comments, indentation and form are kept. */
export function withChild(text: string, container: ObjectNode | ArrayNode, child: Child): string {
  const last = container.children.at(-1)
  if (!last) return withFirstChild(text, container, child)
  if (!hasLineBreak(text.slice(container.start, container.children[0]?.start))) {
    const isLoose = /":\s/.test(text.slice(container.start, container.end))
    const added = isLoose ? `, ${toText(child, { text: '', indent: '' })}` : `,${toText(child)}`
    return apply(text, [{ start: last.end, end: last.end, text: added }])
  }
  const comma = commaAfter(text, last.end)
  const indent = indentAt(text, last.start)
  const behind = endOfLine(text, comma === undefined ? last.end : comma + 1)
  const added = `${eolOf(text)}${indent}${toText(child, { text, indent })}`
  if (comma !== undefined) return apply(text, [{ start: behind, end: behind, text: `${added},` }])
  return apply(text, [
    { start: last.end, end: last.end, text: ',' },
    { start: behind, end: behind, text: added },
  ])
}

/** Without one child of `container`, its line and the comma that it no longer needs. */
export function withoutChild(
  text: string,
  container: ObjectNode | ArrayNode,
  index: number,
): Edited {
  const child = container.children[index]
  if (!child) return { text, losesComments: false }
  const before = container.children[index - 1]
  const comma = commaAfter(text, child.end)
  const start = startOfLine(text, child.start)
  const behind = comma === undefined ? child.end : comma + 1
  const end = start === child.start ? endOfBlanks(text, behind) : endOfLine(text, behind)
  const edits = [{ start, end, text: '' }]
  const idle = comma === undefined && before ? commaAfter(text, before.end) : undefined
  if (idle !== undefined) edits.unshift({ start: idle, end: idle + 1, text: '' })
  return { text: apply(text, edits), losesComments: hasComment(text, child.start, end) }
}

/** With `value` in the place of what is there. */
export function withValue(
  text: string,
  place: { start: number; end: number },
  value: unknown,
): Edited {
  const isOnOneLine = !hasLineBreak(text.slice(place.start, place.end))
  const isSmall = typeof value !== 'object'
  const layout = isOnOneLine && !isSmall ? undefined : { text, indent: indentAt(text, place.start) }
  return {
    text: apply(text, [{ ...pick(place), text: toText({ value }, layout) }]),
    losesComments: hasComment(text, place.start, place.end),
  }
}

interface Child {
  /** Of a member. */
  key?: string
  value: unknown
}

function withFirstChild(text: string, container: ObjectNode | ArrayNode, child: Child): string {
  const outer = indentAt(text, container.start)
  const indent = outer + unitOf(text)
  const eol = eolOf(text)
  const added = `${eol}${indent}${toText(child, { text, indent })}${eol}${outer}`
  const inside = text.slice(container.start + 1, container.end - 1)
  const kept = inside.trimEnd()
  const start = container.start + 1 + kept.length
  return apply(text, [{ start, end: container.end - 1, text: added }])
}

/** On one line without a layout. */
function toText({ key, value }: Child, layout?: { text: string; indent: string }): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}:${layout ? ' ' : ''}`
  if (!layout) return name + JSON.stringify(value)
  const json = JSON.stringify(value, null, unitOf(layout.text))
  return name + json.split('\n').join(`${eolOf(layout.text)}${layout.indent}`)
}

/** From the last to the first, so that places hold. */
function apply(text: string, edits: readonly Edit[]): string {
  return edits.toReversed().reduce((changed, { start, end, text: put }) => {
    return changed.slice(0, start) + put + changed.slice(end)
  }, text)
}

function commaAfter(text: string, at: number): number | undefined {
  const next = endOfTrivia(text, at)
  return text[next] === ',' ? next : undefined
}

/** Where the line of `at` breaks before it; `at` itself where something else stands before it. */
function startOfLine(text: string, at: number): number {
  const [blanks = ''] = /\r?\n[ \t]*$/.exec(text.slice(0, at)) ?? []
  return at - blanks.length
}

/** Behind the blanks and comments that follow on the same line. */
function endOfLine(text: string, from: number): number {
  const at = endOfBlanks(text, from)
  const end = endOfComment(text, at)
  if (end === undefined) return hasLineBreak(text.charAt(at)) ? at : from
  return hasLineBreak(text.slice(at, end)) ? from : endOfLine(text, end)
}

function endOfBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at += 1
  return at
}

function hasComment(text: string, start: number, end: number): boolean {
  const withoutTexts = text.slice(start, end).replaceAll(/"(?:[^"\\]|\\.)*"/g, '')
  return /\/[/*]/.test(withoutTexts)
}

function indentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf('\n', at - 1) + 1, at)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** What one level is indented by in this text. */
function unitOf(text: string): string {
  return /^[^\S\r\n]+(?=["{[])/m.exec(text)?.[0] ?? '  '
}

function eolOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n'
}

function hasLineBreak(text: string): boolean {
  return /[\r\n]/.test(text)
}

function pick({ start, end }: { start: number; end: number }) {
  return { start, end }
}
