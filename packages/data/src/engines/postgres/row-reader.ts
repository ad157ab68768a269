import type { Socket } from 'node:net'
import type { DataRow } from '@dataagent/schema'
import type { FieldDef, Query } from 'pg'
import { createBatch } from '../batch.ts'
import { createConversion } from './values.ts'

/** The rows of one statement. The connection waits while a batch of them is unread. */
export interface RowReader {
  /** Known with the first row, or at the end. Rejects where the statement fails before. */
  fields(): Promise<readonly FieldDef[]>
  /** At least one; undefined at the end. */
  next(): Promise<DataRow[] | undefined>
  /** Whether the server has said its last word, also where rows of it are unread. */
  hasEnded(): boolean
}

/** To be called before anything has come for `query`, which gives its rows as lists. */
export function createRowReader(query: Query, socket: Socket): RowReader {
  const batch = createBatch()
  const started = Promise.withResolvers<readonly FieldDef[]>()
  let toRow: ReturnType<typeof createConversion> | undefined
  let hasEnded = false
  let failure: unknown
  let wake: (() => void) | undefined

  const settle = (error?: unknown) => {
    hasEnded = true
    failure = error
    started.reject(error)
    // The last rows may have come together with the end.
    socket.resume()
    wake?.()
  }
  started.promise.catch(() => {})
  query.on('row', (row: (string | null)[], result) => {
    const { fields } = result!
    started.resolve(fields)
    toRow ??= createConversion(fields.map(({ dataTypeID }) => dataTypeID))
    batch.add(toRow(row))
    if (!batch.isFull) return
    socket.pause()
    wake?.()
  })
  query.on('error', settle)
  query.on('end', ({ fields }) => {
    started.resolve(fields)
    settle()
  })

  return {
    fields: () => started.promise,
    hasEnded: () => hasEnded,
    async next() {
      while (!batch.isFull && !hasEnded) await new Promise<void>((resolve) => (wake = resolve))
      if (batch.isEmpty && failure !== undefined) throw failure
      const rows = batch.isEmpty ? undefined : batch.take()
      if (!hasEnded) socket.resume()
      return rows
    },
  }
}
