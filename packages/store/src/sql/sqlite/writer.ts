import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import { AppError } from '@dataagent/schema'
import type { SqlResult, SqlValue } from '../engine.ts'
import { toStoreError } from '../store-error.ts'
import { openStatements } from './statements.ts'
import type { WriterReply, WriterRequest } from './writer-thread.ts'

/** The one connection that writes. Calls are run in the order they come. */
export interface Writer {
  run(sql: string, values: readonly SqlValue[]): Promise<SqlResult>
  runMany(sql: string, rows: readonly (readonly SqlValue[])[]): Promise<void>
  close(): Promise<void>
}

interface Pending {
  resolve(result: SqlResult): void
  reject(error: unknown): void
}

/** A writer in a thread of its own, so that waiting for the disk never blocks the event loop. */
export function createThreadWriter(path: string): Writer {
  const pending = new Map<number, Pending>()
  let nextId = 1
  let worker: Worker | undefined
  let closed = false

  function start(): Worker {
    const file = `./writer-thread${extname(import.meta.filename)}`
    const started = new Worker(new URL(file, import.meta.url), { workerData: path })
    started.unref()
    started.on('message', settle)
    started.on('error', fail)
    started.on('exit', () => fail(new Error('the SQLite writer thread ended')))
    return started

    function fail(error: unknown) {
      if (worker === started) worker = undefined
      for (const { reject } of pending.values()) reject(toStoreError('sqlite', error))
      pending.clear()
    }
  }

  function settle(reply: WriterReply) {
    const call = pending.get(reply.id)
    if (!call) return
    pending.delete(reply.id)
    if (pending.size === 0) worker?.unref()
    if ('result' in reply) call.resolve(reply.result)
    else call.reject(toStoreError('sqlite', Object.assign(new Error(reply.message), reply)))
  }

  function ask(request: WriterRequest): Promise<SqlResult> {
    if (closed) return Promise.reject(closedError())
    return new Promise((resolve, reject) => {
      const id = nextId
      nextId += 1
      worker ??= start()
      pending.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, ...request })
    })
  }

  return {
    run: (sql, values) => ask({ verb: 'run', sql, values }),
    async runMany(sql, rows) {
      await ask({ verb: 'runMany', sql, rows })
    },
    async close() {
      if (closed) return
      if (worker) await ask({ verb: 'close' }).catch(() => undefined)
      closed = true
      await worker?.terminate()
    },
  }
}

/** A writer in this thread, for a database in memory, which no other thread could see. */
export function createMemoryWriter(): Writer {
  const statements = openStatements(':memory:', 'write')
  const attempt = async <T>(work: () => T): Promise<T> => {
    try {
      return work()
    } catch (error) {
      throw toStoreError('sqlite', error)
    }
  }
  return {
    run: (sql, values) => attempt(() => statements.run(sql, values)),
    runMany: (sql, rows) => attempt(() => statements.runMany(sql, rows)),
    close: () => attempt(() => statements.close()),
  }
}

function closedError() {
  return new AppError('store_unavailable', 'the database store is closed')
}
