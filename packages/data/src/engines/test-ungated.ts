import { tmpdir } from 'node:os'
import { systemClock } from '@dataagent/guard'
import { connectMysql } from './mysql/connect.ts'
import { openMysqlCursor } from './mysql/mysql-cursor.ts'
import type { Pooled } from './pool.ts'
import { connectPostgres } from './postgres/connect.ts'
import { openPostgresCursor } from './postgres/postgres-cursor.ts'
import { type Runner, startRunner } from './runner/runner.ts'
import { type Cursor, runQuery } from './running-query.ts'
import { toServer } from './source.ts'
import type { TestSource } from './test-sources.ts'

const timeoutMs = 10_000
const limits = {
  ...{ memoryBytes: 512 * 1024 * 1024, threads: 2 },
  ...{ spillBytes: 64 * 1024 * 1024, valueBytes: 1024 * 1024 },
}

/** Asks `source` as its engine does, but for the gate before it. */
export interface Ungated extends AsyncDisposable {
  run(sql: string): Promise<void>
}

export function openUngated({ source }: TestSource): Ungated {
  let runner: Promise<Runner> | undefined

  async function start(sql: string, signal: AbortSignal): Promise<Cursor> {
    const needs = { checkAddress: undefined, rowBytes: 1024 * 1024, signal }
    if (source.kind === 'mysql') {
      const link = await connectMysql({ ...needs, server: toServer('mysql', source) })
      const asked = { sql, timeoutMs, signal, killQuery: async () => {} }
      return await openMysqlCursor({ ...asked, lease: toLease(link) })
    }
    if (source.kind === 'postgres') {
      const link = await connectPostgres({ ...needs, server: toServer('postgres', source) })
      const asked = { sql, verb: 'select', timeoutMs, signal, cancel: async () => {} } as const
      return await openPostgresCursor({ ...asked, lease: toLease(link) })
    }
    runner ??= startRunner({
      ...{ source, limits, signal, clock: systemClock },
      sandbox: 'off',
      temporaryRoot: tmpdir(),
    })
    const work = (await runner).run({ kind: 'query', sql, explain: false })
    await work.next()
    const close = async () => void (await work.stop(1_000))
    return { columns: [], close, next: async () => void (await work.next()) }
  }

  return {
    async run(sql) {
      const query = await runQuery({
        ...{ signal: undefined, timeoutMs, clock: systemClock },
        start: (signal) => start(sql, signal),
      })
      for await (const _ of query.batches);
    },
    async [Symbol.asyncDispose]() {
      await (await runner)?.close()
    },
  }
}

function toLease<T extends Pooled>(held: T) {
  return { held, release: () => held.close() }
}
