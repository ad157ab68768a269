import { AppError, type JsonValue, jsonDepthMax } from '@dataagent/schema/base'

/** A value with its place in the text, so that an edit touches nothing else. */
export type Node = ObjectNode | ArrayNode | ScalarNode

interface Place {
  start: number
  /** Behind its last character. */
  end: number
}

export interface ObjectNode extends Place {
  kind: 'object'
  children: MemberNode[]
}

/** From its key to the end of its value. */
export interface MemberNode extends Place {
  key: string
  value: Node
}

export interface ArrayNode extends Place {
  kind: 'array'
  children: Node[]
}

interface ScalarNode extends Place {
  kind: 'scalar'
  value: string | number | boolean | null
}

interface Cursor {
  readonly text: string
  at: number
}

/**
 * JSON as people write it by hand: with comments and trailing commas. Throws `parse_error`, whose
 * message names the line and quotes nothing.
 */
export function parseJsonc(text: string): Node {
  const cursor = { text, at: text.startsWith('\uFEFF') ? 1 : 0 }
  const root = parseNode(cursor, jsonDepthMax)
  skipTrivia(cursor)
  if (cursor.at < text.length) throw faultAt(cursor, 'the end of the file')
  return root
}

/** The plain value. A key `__proto__` is one like others. */
export function toValue(node: Node): JsonValue {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.children.map(toValue)
  return Object.fromEntries(node.children.map(({ key, value }) => [key, toValue(value)]))
}

/** The member that counts: of several under one key the last. */
export function memberOf(node: Node | undefined, key: string): MemberNode | undefined {
  return node?.kind === 'object'
    ? node.children.findLast((member) => member.key === key)
    : undefined
}

/** Behind the space and the comments that begin at `at`. */
export function endOfTrivia(text: string, at: number): number {
  const cursor = { text, at }
  skipTrivia(cursor)
  return cursor.at
}

/** Behind the comment that begins at `at`; undefined where none does, or it has no end. */
export function endOfComment(text: string, at: number): number | undefined {
  if (text.startsWith('//', at)) {
    const end = text.slice(at).search(/[\r\n]/)
    return end === -1 ? text.length : at + end
  }
  const end = text.startsWith('/*', at) ? text.indexOf('*/', at + 2) : -1
  return end === -1 ? undefined : end + 2
}

function parseNode(cursor: Cursor, depthLeft: number): Node {
  skipTrivia(cursor)
  const sign = cursor.text[cursor.at]
  if (sign !== '{' && sign !== '[') return parseScalar(cursor)
  if (depthLeft === 0) throw faultAt(cursor, `at most ${jsonDepthMax} levels`)
  const start = cursor.at
  if (sign === '[') {
    const children = parseChildren(cursor, ']', () => parseNode(cursor, depthLeft - 1))
    return { kind: 'array', start, end: cursor.at, children }
  }
  const children = parseChildren(cursor, '}', () => parseMember(cursor, depthLeft - 1))
  return { kind: 'object', start, end: cursor.at, children }
}

function parseChildren<T>(cursor: Cursor, closing: string, parse: () => T): T[] {
  const children: T[] = []
  cursor.at += 1
  for (let isDue = true; ; ) {
    skipTrivia(cursor)
    const sign = cursor.text[cursor.at]
    if (sign === closing) break
    if (!isDue && sign !== ',') throw faultAt(cursor, `"," or "${closing}"`)
    if (isDue) children.push(parse())
    else cursor.at += 1
    isDue = !isDue
  }
  cursor.at += 1
  return children
}

function parseMember(cursor: Cursor, depthLeft: number): MemberNode {
  const start = cursor.at
  if (cursor.text[start] !== '"') throw faultAt(cursor, 'a name in double quotes')
  const key = parseString(cursor)
  skipTrivia(cursor)
  if (cursor.text[cursor.at] !== ':') throw faultAt(cursor, '":"')
  cursor.at += 1
  const value = parseNode(cursor, depthLeft)
  return { start, end: value.end, key, value }
}

function parseScalar(cursor: Cursor): ScalarNode {
  const start = cursor.at
  if (cursor.text[start] === '"') {
    const value = parseString(cursor)
    return { kind: 'scalar', start, end: cursor.at, value }
  }
  const word = /-?[\w.+-]+/y
  word.lastIndex = start
  const [found = ''] = word.exec(cursor.text) ?? []
  const value = parsePiece(found)
  if (value === undefined) throw faultAt(cursor, 'a value')
  cursor.at = start + found.length
  return { kind: 'scalar', start, end: cursor.at, value }
}

function parseString(cursor: Cursor): string {
  const { text, at } = cursor
  let end = at + 1
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
  const value = parsePiece(text.slice(at, end + 1))
  if (typeof value !== 'string') throw faultAt(cursor, 'a text that ends on its line')
  cursor.at = end + 1
  return value
}

/** A string, a number or a word of JSON; undefined where it is none. */
function parsePiece(piece: string): ScalarNode['value'] | undefined {
  try {
    return JSON.parse(piece)
  } catch {
    return undefined
  }
}

function skipTrivia(cursor: Cursor): void {
  const space = /\s*/y
  for (;;) {
    space.lastIndex = cursor.at
    cursor.at += space.exec(cursor.text)?.[0].length ?? 0
    const end = endOfComment(cursor.text, cursor.at)
    if (end === undefined) return
    cursor.at = end
  }
}

function faultAt({ text, at }: Cursor, expected: string): AppError {
  const line = text.slice(0, at).split('\n').length
  return new AppError('parse_error', `line ${line}: expected ${expected}`, { data: { line } })
}
