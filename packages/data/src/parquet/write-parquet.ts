import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { type ProcessHandle, startProcess } from '@dataagent/guard'
import { AppError, type DataColumn, type DataRow } from '@dataagent/schema'
import { makeScratch } from '../scratch/index.ts'
import type { ParquetAnswer, ParquetOrder } from './messages.ts'

export interface ParquetResult {
  columns: readonly DataColumn[]
  batches: AsyncIterable<readonly DataRow[]>
}

/**
 * A result as a Parquet file. It is made whole in a private folder before its first byte is given:
 * where that fails, with `process_failed` or `cancelled`, nothing was given. Read it once.
 */
export async function* writeParquet(
  result: ParquetResult,
  { signal }: { signal?: AbortSignal | undefined } = {},
): AsyncGenerator<Uint8Array> {
  const folder = await makeScratch(tmpdir(), 'parquet')
  try {
    const file = join(folder, 'result.parquet')
    await make(result, { folder, file, signal })
    yield* createReadStream(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Place {
  folder: string
  file: string
  signal: AbortSignal | undefined
}

async function make(
  { columns, batches }: ParquetResult,
  { folder, file, signal }: Place,
): Promise<void> {
  await using writer = await startProcess({
    command: process.execPath,
    args: ['--max-old-space-size=256', program()],
    ...{ env: { TZ: 'UTC' }, graceMs: 0, ...(signal && { signal }) },
  })
  const answered = text(writer.stdout)
  answered.catch(() => {})
  // Where it has ended early, its answer says why.
  writer.stdin.on('error', () => {})
  await tell(writer, { kind: 'begin', folder, file, columns })
  for await (const rows of batches) {
    if (writer.stdin.destroyed) break
    await tell(writer, { kind: 'rows', rows })
  }
  await tell(writer, { kind: 'end' })
  writer.stdin.end()
  const said = await answered
  if (signal?.aborted) throw new AppError('cancelled', 'The export was stopped.')
  if (said === '') {
    const { code, signal: by } = await writer.exited
    const message = `The program that writes the file ended early (${by ?? code}).`
    throw new AppError('process_failed', message, { data: { stderr: writer.stderrTail() } })
  }
  // Written by our own program.
  const answer = JSON.parse(said) as ParquetAnswer
  if (answer.status === 'failed') throw new AppError('process_failed', answer.message)
}

/** Waits while it is busy, unless it has ended. */
async function tell({ stdin, exited }: ProcessHandle, order: ParquetOrder): Promise<void> {
  if (stdin.destroyed || stdin.write(`${JSON.stringify(order)}\n`)) return
  const drained = new AbortController()
  const ended = exited.then(() => drained.abort())
  await Promise.race([once(stdin, 'drain', { signal: drained.signal }).catch(() => {}), ended])
}

function program(): string {
  const name = `./parquet-main${extname(import.meta.filename)}`
  return fileURLToPath(new URL(name, import.meta.url))
}
