import { open } from 'node:fs/promises'
import { isPlainObject, readJson } from '@dataagent/schema'
import type { CallLogRow, CallRecord } from './contract.ts'
import { recordColumns } from './storable.ts'

/** The head of a chain: its last row. */
export interface ChainHead {
  tenant_id: string
  writer: string
  seq: number
  hash: string
}

/** A line of a journal. `end` is where the next one begins. */
export type JournalLine = { end: number } & (
  | { kind: 'heads'; heads: ChainHead[] }
  | { kind: 'start'; start: JournalStart }
  | { kind: 'row'; row: CallLogRow }
  /** Torn by the death of the process, or damaged. */
  | { kind: 'unreadable' }
)

export interface JournalStart {
  idempotent: boolean
  record: CallRecord
}

/** Heads that have no anchor yet: whoever takes the journal over anchors them. */
export function toHeadsLine(heads: readonly ChainHead[]): string {
  return `H${JSON.stringify({ heads })}\n`
}

export function toStartLine(start: JournalStart): string {
  const { idempotent, record } = start
  return `S{"idempotent":${idempotent},"record":${JSON.stringify(record)}}\n`
}

/** `json` is that of the whole row. */
export function toRowLine(json: string): string {
  return `R${json}\n`
}

const chunkBytes = 256 * 1024
const newline = 0x0a

/**
 * The lines of a file from a place on; what comes after the last newline is left out. A file that
 * somebody removed has none.
 */
export async function* readJournal(path: string, from = 0): AsyncGenerator<JournalLine> {
  await using file = await open(path, 'r').catch(orNone)
  if (file === null) return
  let rest: Buffer = Buffer.alloc(0)
  for (let at = from; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, at)
    if (bytesRead === 0) return
    const start = at - rest.length
    at += bytesRead
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
    let lineStart = 0
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, lineStart)) {
      const text = bytes.toString('utf8', lineStart, end)
      lineStart = end + 1
      yield parseLine(text, start + lineStart)
    }
    rest = bytes.subarray(lineStart)
  }
}

function orNone(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

function parseLine(text: string, end: number): JournalLine {
  try {
    const value = readJson(text.slice(1), { what: 'line of the journal' })
    if (!isPlainObject(value)) return { kind: 'unreadable', end }
    if (text[0] === 'R' && isRow(value)) return { kind: 'row', row: value, end }
    if (text[0] === 'S' && isStart(value)) return { kind: 'start', start: value, end }
    if (text[0] === 'H' && isHeads(value)) return { kind: 'heads', heads: value.heads, end }
  } catch {
    // Damaged: the same as one that is of no kind.
  }
  return { kind: 'unreadable', end }
}

type Json = Record<string, unknown>

/** What else its record lacks is filled in when it becomes a row. */
function isStart(value: Json): value is Json & JournalStart {
  if (typeof value.idempotent !== 'boolean' || !isPlainObject(value.record)) return false
  const { call_id, tenant_id } = value.record
  return typeof call_id === 'string' && typeof tenant_id === 'string'
}

function isHeads(value: Json): value is Json & { heads: ChainHead[] } {
  return (
    Array.isArray(value.heads) && value.heads.every((head) => isPlainObject(head) && isHead(head))
  )
}

function isRow(value: Json): value is Json & CallLogRow {
  return isRecord(value) && isHead(value) && typeof value.prev_hash === 'string'
}

function isHead(value: Json): boolean {
  const { tenant_id, writer, seq, hash } = value
  const texts = [tenant_id, writer, hash]
  return texts.every((text) => typeof text === 'string') && Number.isSafeInteger(seq)
}

function isRecord(value: Json): boolean {
  return Object.entries(recordColumns).every(([name, { holds }]) => {
    const field = value[name]
    return field === null || typeof field === (holds === 'integer' ? 'number' : 'string')
  })
}
