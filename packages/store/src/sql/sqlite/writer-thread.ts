import { parentPort, workerData } from 'node:worker_threads'
import type { SqlResult, SqlValue } from '../engine.ts'
import { openStatements, type Statements } from './statements.ts'

export type WriterRequest =
  | { verb: 'run'; sql: string; values: readonly SqlValue[] }
  | { verb: 'runMany'; sql: string; rows: readonly (readonly SqlValue[])[] }
  | { verb: 'close' }

export type WriterReply =
  | { id: number; result: SqlResult }
  | { id: number; message: string; errcode: number }

const nothing: SqlResult = { rows: [], affected: 0 }
let statements: Statements | undefined

parentPort?.on('message', (request: WriterRequest & { id: number }) => {
  parentPort?.postMessage(answer(request))
})

function answer(request: WriterRequest & { id: number }): WriterReply {
  const { id } = request
  try {
    return { id, result: perform(request) }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { id, message, errcode: errcode ?? 0 }
  }
}

function perform(request: WriterRequest): SqlResult {
  if (request.verb === 'close') {
    statements?.close()
    return nothing
  }
  statements ??= openStatements(workerData as string, 'write')
  if (request.verb === 'run') return statements.run(request.sql, request.values)
  statements.runMany(request.sql, request.rows)
  return nothing
}
