import { AppError } from '@dataagent/schema'

export type FrontMatterValue = string | string[] | Record<string, string>

export interface FrontMatter {
  fields: Record<string, FrontMatterValue>
  body: string
}

interface Line {
  indent: number
  text: string
}

const fieldPattern = /^(?<key>[A-Za-z][\w-]*):(?:\s+(?<value>.*))?$/s

/**
 * Parts a Markdown file into its front matter and its body. Of YAML it reads what skills use: plain
 * and quoted texts, texts over several lines (`|`, `>`), lists, and one level of named texts. All
 * values are text. Throws `invalid_request` for anything else.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const end = lines.findIndex((line, i) => i > 0 && line.trimEnd() === '---')
  if (lines[0]?.trimEnd() !== '---' || end === -1) {
    throw invalid('it does not begin with front matter between two lines of ---')
  }
  const fields: Record<string, FrontMatterValue> = Object.create(null)
  for (const [key, value] of readFields(lines.slice(1, end))) {
    if (key in fields) throw invalid(`it has the field "${key}" twice`)
    fields[key] = value
  }
  return {
    fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  }
}

function* readFields(lines: string[]): Generator<[string, FrontMatterValue]> {
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    at += 1
    if (isEmpty(line)) continue
    const { key, value } = fieldPattern.exec(line.trimEnd())?.groups ?? {}
    if (key === undefined) throw invalid(`its line ${at + 1} is no "name: value"`)
    const start = at
    while (at < lines.length && (/^\s/.test(lines[at] ?? '') || isBelow(lines[at] ?? ''))) at += 1
    yield [key, readValue(key, value ?? '', lines.slice(start, at).map(toLine))]
  }
}

/** Empty lines, and items of a list, which may stand as far left as its name. */
function isBelow(line: string): boolean {
  return line.trim() === '' || /^-\s/.test(line)
}

function readValue(key: string, value: string, below: Line[]): FrontMatterValue {
  const filled = below.filter(({ text }) => !isEmpty(text))
  if (/^[|>][+-]?\d?$/.test(value)) return joinBlock(below, value.startsWith('>') ? ' ' : '\n')
  if (value.startsWith('[')) return readInlineList(value, filled)
  if (value !== '') return toScalar([value, ...filled.map(({ text }) => text)].join(' '))
  if (filled.length === 0) return ''
  if (filled.every(({ text }) => text.startsWith('- '))) {
    return filled.map(({ text }) => toScalar(text.slice(2)))
  }
  return readMap(key, filled)
}

function readMap(key: string, lines: Line[]): Record<string, string> | string {
  const pairs = lines.map(({ text }) => fieldPattern.exec(text)?.groups)
  if (pairs.every((pair) => pair === undefined)) return lines.map(({ text }) => text).join(' ')
  return Object.fromEntries(
    pairs.map((pair) => {
      if (!pair?.key) throw invalid(`its field "${key}" is more than a list of names and texts`)
      return [pair.key, toScalar(pair.value ?? '')]
    }),
  )
}

function readInlineList(value: string, below: Line[]): string[] {
  const whole = [value, ...below.map(({ text }) => text)].join(' ')
  if (!whole.endsWith(']')) throw invalid('it has a list without an end')
  const items = whole.slice(1, -1).match(/\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)/g) ?? []
  return items.map((item) => toScalar(item.trim())).filter((item) => item !== '')
}

/** Folded text keeps its paragraphs. */
function joinBlock(lines: Line[], between: string): string {
  const indent = lines
    .filter(({ text }) => text !== '')
    .reduce((least, line) => Math.min(least, line.indent), Number.POSITIVE_INFINITY)
  const texts = lines.map((line) => ' '.repeat(Math.max(0, line.indent - indent)) + line.text)
  if (between === '\n') return texts.join('\n').trim()
  return texts
    .map((text) => (text.trim() === '' ? '\n' : text))
    .join(' ')
    .split('\n')
    .map((paragraph) => paragraph.trim())
    .join('\n')
    .trim()
}

function toScalar(value: string): string {
  const text = value.trim()
  if (text.startsWith('"') && text.endsWith('"') && text.length > 1) return readQuoted(text)
  if (text.startsWith("'") && text.endsWith("'") && text.length > 1) {
    return text.slice(1, -1).replaceAll("''", "'")
  }
  if (/^[{&*!]/.test(text)) throw invalid(`it has YAML that is not read here: ${text.slice(0, 20)}`)
  return text.slice(0, startOfComment(text)).trimEnd()
}

/** A `#` after a space begins one. */
function startOfComment(text: string): number {
  const at = text.search(/\s#/)
  return at === -1 ? text.length : at
}

function readQuoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.slice(1, -1)
  }
}

function toLine(line: string): Line {
  const text = line.trim()
  return { indent: line.length - line.trimStart().length, text }
}

function isEmpty(line: string): boolean {
  const text = line.trim()
  return text === '' || text.startsWith('#')
}

function invalid(why: string): AppError {
  return new AppError('invalid_request', why)
}
