import { parentPort, workerData } from 'node:worker_threads'
import { startHostileHttp } from './http-server.ts'
import { createFileNotes } from './notes.ts'

// A server on a thread: tells where it listens, then does as it is told.

const { mode, knobs, notesFile } = workerData
const server = await startHostileHttp(mode, knobs, createFileNotes(notesFile))
parentPort?.on('message', async ({ mode, knobs }) => {
  await server.set(mode, knobs)
  parentPort?.postMessage('done')
})
parentPort?.postMessage({ url: server.url, sseUrl: server.sseUrl })
