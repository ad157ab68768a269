import { createFrameReader, toFrame } from '../runner/frames.ts'
import {
  batchBytes,
  batchesAhead,
  batchRows,
  type RunnerNews,
  type RunnerOrder,
} from '../runner/messages.ts'
import { gatherBatches } from './batches.ts'
import { watchMemory } from './memory-watch.ts'
import { memoryExitCode, processBytes } from './process-limits.ts'
import type { Session } from './session.ts'
import { WorkError } from './work-error.ts'

/** Runs one query at a time for the process that started it; ends when its input does. */
type Begin = RunnerOrder & { kind: 'begin' }

const longestOrder = 4 * 1024 * 1024
const reader = createFrameReader({ mostBytes: longestOrder })
let session: Promise<Session> | undefined
let valueBytes = 0
let allowed = 0
let goOn: (() => void) | undefined
let stopped = false

process.stdin.on('data', (piece: Buffer) => {
  for (const order of reader.push(piece)) obey(order as RunnerOrder)
})
process.stdin.on('end', () => process.exit(0))
process.on('SIGTERM', () => process.exit(0))

function obey(order: RunnerOrder): void {
  if (order.kind === 'more') allow(1)
  else if (order.kind === 'stop') stop()
  else {
    stopped = false
    allowed = batchesAhead
    void work(order).then(tell, (error) => tell(toFailed(error)))
  }
}

async function work(order: Exclude<RunnerOrder, { kind: 'more' | 'stop' }>): Promise<RunnerNews> {
  if (order.kind === 'begin') {
    session = begin(order)
    return { kind: 'ready', version: (await session).version }
  }
  const opened = await session!
  if (order.kind === 'describe') {
    tell({ kind: 'tables', tables: await opened.describe({ tables: order.tables }) })
    return { kind: 'end' }
  }
  const { columns, rows } = await opened.query(order)
  tell({ kind: 'columns', columns })
  const limits = { rows: batchRows, bytes: batchBytes, valueBytes }
  for await (const batch of gatherBatches(rows, { columns, limits })) {
    await turn()
    if (stopped) break
    tell({ kind: 'rows', rows: batch })
  }
  return { kind: 'end' }
}

async function begin({ source, limits, temporaryFolder }: Begin): Promise<Session> {
  valueBytes = limits.valueBytes
  watchMemory({ mostBytes: processBytes(limits), exitCode: memoryExitCode })
  if (source.kind === 'sqlite') {
    const { openSqlite } = await import('./sqlite/sqlite-session.ts')
    return openSqlite({ path: source.path, limits })
  }
  const { openDuckdb } = await import('./duckdb/duckdb-session.ts')
  return await openDuckdb({ source, limits, temporaryFolder })
}

/** Waits until one more batch may be sent, and lets orders be read in any case. */
async function turn(): Promise<void> {
  await new Promise(setImmediate)
  while (allowed === 0 && !stopped) await new Promise<void>((resolve) => (goOn = resolve))
  allowed -= 1
}

function allow(batches: number): void {
  allowed += batches
  goOn?.()
}

function stop(): void {
  stopped = true
  goOn?.()
  void session?.then(({ interrupt }) => interrupt()).catch(() => {})
}

function tell(news: RunnerNews): void {
  process.stdout.write(toFrame(news))
}

function toFailed(error: unknown): RunnerNews {
  if (error instanceof WorkError) {
    return { kind: 'failed', code: error.code, message: error.message }
  }
  return { kind: 'failed', code: 'invalid_request', message: (error as Error).message }
}
