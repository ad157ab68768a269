import type { DataColumn, DataRow } from '@dataagent/schema'

/** To the process that writes a file, one in a line: the first is `begin`, the last `end`. */
export type ParquetOrder =
  | { kind: 'begin'; folder: string; file: string; columns: readonly DataColumn[] }
  | { kind: 'rows'; rows: readonly DataRow[] }
  | { kind: 'end' }

/** From it, once. */
export type ParquetAnswer = { status: 'ok' } | { status: 'failed'; message: string }
