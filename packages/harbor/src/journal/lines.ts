import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '@dataagent/schema'

/** A file of JSON lines that only grows. */
export interface Lines extends AsyncDisposable {
  /** Those that were there, parsed. */
  readonly before: readonly unknown[]
  /** Resolves when it is on the disk. */
  add(value: unknown): Promise<void>
}

interface Waiting {
  line: string
  written: PromiseWithResolvers<void>
}

/** Opens or makes it, for its owner only. A last line that was torn off is taken away. */
export async function openLines(file: string): Promise<Lines> {
  await mkdir(dirname(file), { recursive: true })
  // To read, and to append wherever the end is.
  const handle = await open(file, 'a+', 0o600)
  try {
    const before = await readLines(handle, file)
    return createLines(handle, before)
  } catch (error) {
    await handle.close()
    throw error
  }
}

function createLines(handle: FileHandle, before: readonly unknown[]): Lines {
  let waiting: Waiting[] = []
  let writing: Promise<void> | undefined

  /** What has come while the disk was busy is written together. */
  async function write(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting
      waiting = []
      try {
        await handle.appendFile(batch.map(({ line }) => line).join(''))
        await handle.datasync()
        for (const { written } of batch) written.resolve()
      } catch (cause) {
        const error = new AppError('storage_full', 'The file could not be written.', { cause })
        for (const { written } of batch) written.reject(error)
      }
    }
    writing = undefined
  }

  return {
    before,
    add(value) {
      const written = Promise.withResolvers<void>()
      waiting.push({ line: `${JSON.stringify(value)}\n`, written })
      writing ??= write()
      return written.promise
    },
    async [Symbol.asyncDispose]() {
      await writing
      await handle.close()
    },
  }
}

async function readLines(handle: FileHandle, file: string): Promise<unknown[]> {
  const bytes = await handle.readFile()
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) await handle.truncate(end)
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').slice(0, -1)
  return lines.map((line, at) => {
    try {
      return JSON.parse(line)
    } catch (cause) {
      throw new AppError('parse_error', `${file}, line ${at + 1}: this is not JSON.`, { cause })
    }
  })
}
