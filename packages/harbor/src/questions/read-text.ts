import { AppError, isAppError, parseJson } from '@dataagent/schema'
import { isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml'
import { toSyntaxError } from './faults.ts'

/** Reading YAML takes a hundred times as long as JSON: a large set is better that. */
const yamlMax = 4_000_000
/** Of brackets that are still open: no questions need more, and each costs the reader. */
const openMax = 200
/** Beyond this many characters the line of a fault in JSON is not looked for. */
const lookedThroughMax = 500_000

/** A text as values, and in which line each of them begins. */
export interface ReadText {
  value: unknown
  /** Undefined where it cannot be told. May take long: for errors only. */
  lineOf(path: readonly (string | number)[]): number | undefined
}

export function readJsonText(text: string): ReadText {
  try {
    return { value: parseJson(text), lineOf: createLineOf(text) }
  } catch (error) {
    if (!isAppError(error, 'parse_error')) throw error
    throw toSyntaxError('JSON', lineOfMessage(text, error.cause), error.cause ?? error)
  }
}

export function readYamlText(text: string): ReadText {
  if (text.length > yamlMax) {
    throw new AppError('too_large', 'YAML has at most 4 MB: a larger set fits as JSON')
  }
  if (isTooDeep(text)) throw toSyntaxError('YAML', undefined, 'it is nested too deep')
  const { document, lines } = toDocument(text)
  const [error] = document.errors
  if (error) throw toSyntaxError('YAML', error.linePos?.[0].line, error)
  const twice = findTwice(document)
  if (twice) {
    throw toSyntaxError('YAML', lines.linePos(twice.offset).line, `"${twice.key}" is there twice`)
  }
  try {
    return {
      value: document.toJS({ maxAliasCount: 100 }),
      lineOf: (path) => lineIn(document, lines, path),
    }
  } catch (cause) {
    throw toSyntaxError('YAML', undefined, cause)
  }
}

/** Each line that is not empty is a value. */
export function readJsonLines(text: string): ReadText {
  const numbers: number[] = []
  const value = text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return []
    numbers.push(at + 1)
    return [parseLine(line, at + 1)]
  })
  return { value, lineOf: ([index]) => numbers[Number(index)] }
}

function parseLine(line: string, number: number): unknown {
  try {
    return parseJson(line)
  } catch (error) {
    const cause = isAppError(error, 'parse_error') ? (error.cause ?? error) : error
    throw toSyntaxError('JSON', number, cause)
  }
}

type Document = ReturnType<typeof parseDocument>

function toDocument(text: string) {
  const lines = new LineCounter()
  try {
    return { document: parseDocument(text, { ...yamlOptions, lineCounter: lines }), lines }
  } catch (cause) {
    // Nested too deep for the stack.
    throw toSyntaxError('YAML', undefined, cause)
  }
}

/** The reader's own look for keys that are there twice takes the square of their number. */
const yamlOptions = { logLevel: 'silent', uniqueKeys: false } as const

function isTooDeep(text: string): boolean {
  let open = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    open = Math.max(0, open + (bracket === '[' || bracket === '{' ? 1 : -1))
    if (open > openMax) return true
  }
  return false
}

/** The first key that its map has before. */
function findTwice(document: Document): { key: string; offset: number } | undefined {
  let found: { key: string; offset: number } | undefined
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<string>()
      for (const { key } of items) {
        const name = isScalar(key) ? String(key.value) : undefined
        if (name !== undefined && keys.has(name)) {
          found = { key: name, offset: isNode(key) ? (key.range?.[0] ?? 0) : 0 }
          return visit.BREAK
        }
        if (name !== undefined) keys.add(name)
      }
      return undefined
    },
  })
  return found
}

/** JSON is YAML too, and that reader knows places. */
function createLineOf(text: string): ReadText['lineOf'] {
  let read: ReturnType<typeof toDocument> | undefined
  return (path) => {
    if (text.length > lookedThroughMax) return undefined
    read ??= toDocument(text)
    const { document, lines } = read
    return document.errors.length > 0 ? undefined : lineIn(document, lines, path)
  }
}

function lineIn(
  document: Document,
  lines: LineCounter,
  path: readonly (string | number)[],
): number | undefined {
  const node = document.getIn(path, true)
  const start = isNode(node) ? node.range?.[0] : undefined
  return start === undefined ? undefined : lines.linePos(start).line
}

/** V8 tells the position in most of its messages. */
function lineOfMessage(text: string, cause: unknown): number | undefined {
  const message = cause instanceof Error ? cause.message : ''
  if (message.includes('end of JSON input')) return text.trimEnd().split('\n').length
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? undefined : text.slice(0, Number(position)).split('\n').length
}
