import { closeSync, openSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { SqlResult, SqlValue } from '../engine.ts'

export interface Statements {
  run(sql: string, values: readonly SqlValue[]): SqlResult
  /** Runs one statement for each row in a single transaction: all or nothing, one commit. */
  runMany(sql: string, rows: readonly (readonly SqlValue[])[]): void
  close(): void
}

const cachedStatements = 200

/**
 * Opens a SQLite file and runs statements on it, keeping the prepared ones. Everything here blocks
 * its thread.
 */
export function openStatements(path: string, mode: 'write' | 'read'): Statements {
  if (mode === 'write' && path !== ':memory:') createPrivate(path)
  const db = new DatabaseSync(path, { readOnly: mode === 'read', timeout: 5_000 })
  if (mode === 'write') {
    db.exec('pragma journal_mode = wal')
    db.exec('pragma synchronous = full')
    db.exec('pragma journal_size_limit = 67108864')
  }
  db.exec('pragma foreign_keys = on')
  db.exec('pragma temp_store = memory')
  const cache = new Map<string, { statement: StatementSync; returnsRows: boolean }>()

  function prepare(sql: string) {
    const found = cache.get(sql)
    if (found) return found
    const statement = db.prepare(sql)
    const entry = { statement, returnsRows: statement.columns().length > 0 }
    if (cache.size >= cachedStatements) cache.delete(cache.keys().next().value!)
    cache.set(sql, entry)
    return entry
  }

  return {
    run(sql, values) {
      // SQLite ends a transaction itself after some errors (a full disk); then there is none to
      // roll back.
      if (sql === 'rollback' && !db.isTransaction) return { rows: [], affected: 0 }
      const { statement, returnsRows } = prepare(sql)
      if (returnsRows) return { rows: statement.all(...values), affected: 0 }
      return { rows: [], affected: Number(statement.run(...values).changes) }
    },

    runMany(sql, rows) {
      const { statement } = prepare(sql)
      db.exec('begin immediate')
      try {
        for (const values of rows) statement.run(...values)
        db.exec('commit')
      } catch (error) {
        if (db.isTransaction) db.exec('rollback')
        throw error
      }
    },

    close: () => db.close(),
  }
}

/** Readable by its owner alone; SQLite gives the files beside it the same mode. */
function createPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600))
}
