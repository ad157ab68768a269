import type { ParquetAnswer, ParquetOrder } from './messages.ts'
import { writeFile } from './write-file.ts'

// A process of its own: the database that makes the file is in no other.

process.stdout.write(JSON.stringify(await answer()))

async function answer(): Promise<ParquetAnswer> {
  try {
    await writeFile(orders())
    return { status: 'ok' }
  } catch (error) {
    return { status: 'failed', message: error instanceof Error ? error.message : String(error) }
  }
}

async function* orders(): AsyncGenerator<ParquetOrder> {
  let waiting: Buffer[] = []
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    let rest = piece
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      yield JSON.parse(Buffer.concat([...waiting, rest.subarray(0, at)]).toString('utf8'))
      waiting = []
      rest = rest.subarray(at + 1)
    }
    if (rest.length > 0) waiting.push(rest)
  }
}
