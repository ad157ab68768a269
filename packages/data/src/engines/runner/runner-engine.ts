import type { Clock } from '@dataagent/guard'
import { AppError, type DataRow } from '@dataagent/schema'
import { checkStatement, type Dialect, withNames } from '../../sql-gate/index.ts'
import type { Engine } from '../contract.ts'
import { createPool, type Lease } from '../pool.ts'
import { type Cursor, runQuery, withDeadline } from '../running-query.ts'
import type { AskedQuery, RunnerLimits, RunnerNews, RunnerSource } from './messages.ts'
import { type Runner, type RunnerWork, startRunner } from './runner.ts'
import type { RunnerBudget } from './runner-budget.ts'

export interface RunnerEngineOptions {
  source: RunnerSource
  limits: RunnerLimits
  /** How many queries at once. */
  most: number
  idleMs: number
  describeMs: number
  sandbox: 'preferred' | 'required' | 'off'
  temporaryRoot: string
  budget: RunnerBudget
  clock: Clock
}

/** What an engine may take to stop after it was told to. */
const graceMs = 400
const dialects = { files: 'duckdb', duckdb: 'duckdb', sqlite: 'sqlite' } as const

/** DuckDB and SQLite: asked in processes of their own, each with one query at a time. */
export function createRunnerEngine(options: RunnerEngineOptions): Engine {
  const { source, budget, clock } = options
  const dialect: Dialect = dialects[source.kind]
  const mayKeep = () => !budget.isWanted()
  const pool = createPool<Runner>({ ...options, open: openRunner, mayKeep })
  const forget = budget.addHolder(pool.dropIdle)

  async function openRunner(signal: AbortSignal): Promise<Runner> {
    const giveBack = await budget.take(signal)
    try {
      const runner = await startRunner({ ...options, signal })
      void runner.gone.then(giveBack)
      return runner
    } catch (error) {
      giveBack()
      throw error
    }
  }

  async function start(asked: AskedQuery, signal: AbortSignal) {
    const lease = await pool.take(signal)
    const work = lease.held.run({ kind: 'query', ...asked })
    const end = createEnd(lease, work)
    // A query may take all its time before its first row.
    signal.addEventListener('abort', end, { once: true })
    try {
      const news = await work.next()
      if (news?.kind !== 'columns') throw unexpected(news)
      return toCursor(news, work, end)
    } catch (error) {
      await end()
      throw error
    } finally {
      signal.removeEventListener('abort', end)
    }
  }

  return {
    kind: source.kind,
    async query(sql, { signal, timeoutMs, hidden, shadows = [] }) {
      const verdict = checkStatement(sql, dialect)
      if (verdict.status === 'refused') throw new AppError(verdict.code, verdict.message)
      const { inner, verb } = verdict
      const asked = {
        ...{ sql: inner, explain: verb === 'explain' },
        ...(hidden && { hidden, withNames: withoutOnce(withNames(inner, dialect), shadows) }),
      }
      return await runQuery({ start: (ending) => start(asked, ending), signal, timeoutMs, clock })
    },
    async describe({ signal, tables }) {
      return await withDeadline(
        { signal, timeoutMs: options.describeMs, clock },
        async (ending) => {
          const lease = await pool.take(ending)
          const order = { kind: 'describe', ...(tables !== undefined && { tables }) } as const
          const work = lease.held.run(order)
          const end = createEnd(lease, work)
          ending.addEventListener('abort', end, { once: true })
          try {
            const news = await work.next()
            if (news?.kind !== 'tables') throw unexpected(news)
            return news.tables
          } finally {
            ending.removeEventListener('abort', end)
            await end()
          }
        },
      )
    },
    async check({ signal }) {
      return await withDeadline(
        { signal, timeoutMs: options.describeMs, clock },
        async (ending) => {
          const lease = await pool.take(ending)
          const { version } = lease.held
          await lease.release({ spent: false })
          return { read_only: true, version }
        },
      )
    },
    async [Symbol.asyncDispose]() {
      forget()
      await pool[Symbol.asyncDispose]()
    },
  }
}

/** A second one of such a name is somebody else's. */
function withoutOnce(names: readonly string[], gone: readonly string[]): string[] {
  const left = [...names]
  for (const name of gone) {
    const at = left.indexOf(name)
    if (at !== -1) left.splice(at, 1)
  }
  return left
}

/** Stops the work where it has not ended, and lets the runner go or go on. */
function createEnd(lease: Lease<Runner>, work: RunnerWork): () => Promise<void> {
  let ended: Promise<void> | undefined
  const run = async () => {
    const hasEnded = await work.stop(graceMs)
    await lease.release({ spent: !hasEnded })
  }
  return () => {
    ended ??= run()
    return ended
  }
}

function toCursor(
  { columns }: RunnerNews & { kind: 'columns' },
  work: RunnerWork,
  close: () => Promise<void>,
): Cursor {
  return {
    columns,
    async next(): Promise<readonly DataRow[] | undefined> {
      const news = await work.next()
      if (news === undefined) return undefined
      if (news.kind !== 'rows') throw unexpected(news)
      work.more()
      return news.rows
    },
    close,
  }
}

function unexpected(news: RunnerNews | undefined): AppError {
  return new AppError('internal', `A runner said ${news?.kind ?? 'nothing'} out of turn.`)
}
