import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { temporaryDirectory } from '../temporary-directory.ts'
import type { HostileHttp } from './http-server.ts'
import type { Knobs } from './mode.ts'
import type { HostileMode } from './modes/table.ts'
import { createFileNotes } from './notes.ts'

/** As `startHostileHttp`, on a thread of its own: its work does not count as that of the caller. */
export async function startHostileHttpApart(
  mode: HostileMode,
  knobs: Knobs = {},
): Promise<HostileHttp> {
  const directory = await temporaryDirectory()
  const notesFile = join(directory.path, 'notes')
  await writeFile(notesFile, '')
  const { read } = createFileNotes(notesFile)
  const workerData = { mode, knobs, notesFile }
  const worker = new Worker(new URL('./http-thread.ts', import.meta.url), { workerData })
  const [{ url, sseUrl }] = await once(worker, 'message')
  return {
    url,
    sseUrl,
    notes: read,
    connections: () => read('connection').length - read('disconnection').length,
    async set(next, nextKnobs = {}) {
      const done = once(worker, 'message')
      worker.postMessage({ mode: next, knobs: nextKnobs })
      await done
    },
    async [Symbol.asyncDispose]() {
      await worker.terminate()
      await directory[Symbol.asyncDispose]()
    },
  }
}
