import type { QueryResult } from '@dataagent/schema'
import { lengthOf, longFrom } from '../results/is-long.ts'
import { toContent } from '../results/to-content.ts'
import { toTable } from '../results/to-table.ts'
import type { Part, ToolPart, Turn } from './log/turn.ts'

/** What of a result can be looked at by itself. */
export type ResultShape =
  | {
      kind: 'query'
      query_id: string
      ref: string
      title: string
      rows: number | null
      columns: readonly string[]
    }
  | { kind: 'table'; rows: number; columns: readonly string[] }
  | { kind: 'image'; src: string }
  /** Too long to be read for a list. */
  | { kind: 'large' }

export interface SessionResult {
  key: string
  turn_key: string
  tool_call_id: string
  tool_name: string
  at: number
  shape: ResultShape
}

export interface SessionResults {
  results: readonly SessionResult[]
  /** Whether there are more than were wanted. */
  hasMore: boolean
  /** Whether some are not read yet: the next pass goes on from there. */
  isUnfinished: boolean
}

/** So many characters of results are read before the page has its turn again. */
const passMax = 1_000_000

/** The tables and images of a session, newest first. What was read once is not read again. */
export function listResults(turns: readonly Turn[], limit: number): SessionResults {
  const results: SessionResult[] = []
  let left = passMax
  for (const { turn, part } of newestFirst(turns)) {
    if (!known.has(part)) {
      if (left <= 0) return { results, hasMore: false, isUnfinished: true }
      left -= read(part)
    }
    for (const result of resultsOf(turn, part)) {
      if (results.length === limit) return { results, hasMore: true, isUnfinished: false }
      results.push(result)
    }
  }
  return { results, hasMore: false, isUnfinished: false }
}

function* newestFirst(turns: readonly Turn[]): Generator<{ turn: Turn; part: ToolPart }> {
  for (const turn of turns.toReversed()) {
    for (const part of toolsOf(turn.parts).reverse()) yield { turn, part }
  }
}

function resultsOf(turn: Turn, part: ToolPart): SessionResult[] {
  const { tool_call_id, name: tool_name } = part
  const { key: turn_key } = turn
  const at = part.started_at ?? part.asked_at
  const found = known.get(part)?.map((shape, i) => ({
    ...{ key: `${turn_key} ${tool_call_id} ${i}`, turn_key, tool_call_id, tool_name, at, shape },
  }))
  return found?.reverse() ?? []
}

/** Those of helpers come with the call that they worked for. */
function toolsOf(parts: readonly Part[]): ToolPart[] {
  return parts.flatMap((part) => (part.kind === 'tool' ? [part, ...toolsOf(part.parts)] : []))
}

/** A part is the same object for as long as it does not change. */
const known = new WeakMap<ToolPart, readonly ResultShape[]>()

/** Gives about how many characters that took. */
function read(part: ToolPart): number {
  const queries = queriesOf(part)
  if (queries.length > 0) {
    known.set(part, queries)
    return 0
  }
  const length = part.state === 'ok' ? lengthOf(part.result) : 0
  known.set(part, length > longFrom ? [{ kind: 'large' }] : length > 0 ? shapesOf(part.result) : [])
  return length
}

function queriesOf({ blocks }: ToolPart): ResultShape[] {
  return blocks.flatMap((block) => {
    return block.kind === 'query' ? [toQueryShape(block.query)] : []
  })
}

export function toQueryShape(query: QueryResult): ResultShape {
  const { query_id, ref, source_name, purpose = source_name, columns, row_count } = query
  const names = columns.map(({ name }) => name)
  return { kind: 'query', query_id, ref, title: purpose, rows: row_count, columns: names }
}

function shapesOf(result: unknown): ResultShape[] {
  return toContent(result).flatMap((block): ResultShape[] => {
    if (block.kind === 'image') return [block]
    const table = block.kind === 'json' ? toTable(block.value) : undefined
    if (!table) return []
    const { columns, rows, total = rows.length } = table
    return [{ kind: 'table', rows: total, columns }]
  })
}
