import { parentPort, workerData } from 'node:worker_threads'
import type { LoadReport } from './load-apart.ts'
import { type ArrivalOptions, startArrivals } from './turns.ts'

// A load on a thread: it goes on until it is told to end, and then says what it came to.

const options = workerData as ArrivalOptions
const began = performance.now()
const load = startArrivals(options)
parentPort?.once('message', async () => {
  const { asked, shed, times } = load
  const seconds = (performance.now() - began) / 1_000
  const figures = { perSecond: options.perSecond, seconds, asked, answered: times.length, shed }
  await load[Symbol.asyncDispose]()
  parentPort?.postMessage({ ...figures, failures: load.failures } satisfies LoadReport)
  parentPort?.close()
})
