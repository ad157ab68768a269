import { Worker } from 'node:worker_threads'

/**
 * Ends the process when it holds more than `mostBytes`: from a thread of its own, because an engine
 * may hold the first one for as long as a query takes. What an engine counts as its memory is less
 * than what it takes.
 */
export function watchMemory({ mostBytes, exitCode }: { mostBytes: number; exitCode: number }) {
  const script = `
    const { rss } = process.memoryUsage
    setInterval(() => { if (rss() > ${mostBytes}) process.reallyExit(${exitCode}) }, 50)
  `
  const worker = new Worker(script, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 16 } })
  worker.unref()
}
