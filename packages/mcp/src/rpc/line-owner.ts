import type { RequestId } from './messages.ts'

/** Whose line it is, as far as a part of it tells. */
export type LineOwner =
  /** The answer to this request. */
  | { kind: 'answer'; id: RequestId }
  /** A request or notification of the server: no answer. */
  | { kind: 'message' }
  | { kind: 'unknown' }

const endBytes = 512
const unknown: LineOwner = { kind: 'unknown' }
const token = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s"{}[\]:,]+/g

/** What a whole line tells, as far as it stands at one of its ends. */
export function ownerOfLine(line: Buffer): LineOwner {
  const owner = ownerFromHead(line.subarray(0, endBytes))
  return owner.kind === 'unknown' ? ownerFromTail(line.subarray(-endBytes)) : owner
}

/** What the first bytes of a line tell: the keys of the outermost object count, no others. */
export function ownerFromHead(head: Buffer): LineOwner {
  const tokens = head.toString('utf8').match(token) ?? []
  if (tokens[0] !== '{') return unknown
  let depth = 0
  let id: RequestId | undefined
  for (const [index, text] of tokens.entries()) {
    if (text === '{' || text === '[') depth += 1
    if (text === '}' || text === ']') depth -= 1
    if (depth !== 1 || tokens[index + 1] !== ':') continue
    if (text === '"method"') return { kind: 'message' }
    // The last token may be cut short.
    if (text === '"id"' && index + 3 < tokens.length) id = toId(tokens[index + 2])
  }
  return id === undefined ? unknown : { kind: 'answer', id }
}

/** At the end of a line that is JSON these can only be the last keys of the outermost object. */
const idAtEnd =
  /[{,]\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/

/** What the last bytes of a line tell: many servers write the id behind the result. */
export function ownerFromTail(tail: Buffer): LineOwner {
  const id = toId(idAtEnd.exec(tail.toString('utf8'))?.[1])
  return id === undefined ? unknown : { kind: 'answer', id }
}

function toId(text: string | undefined): RequestId | undefined {
  if (text === undefined || !/^(?:-?\d+|"[^\\]*")$/.test(text)) return undefined
  return text.startsWith('"') ? text.slice(1, -1) : Number(text)
}
