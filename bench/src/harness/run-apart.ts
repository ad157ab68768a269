import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type BenchReport, benchReport } from './result.ts'
import type { RunOptions } from './run-benchmark.ts'

const main = join(import.meta.dirname, 'main.ts')

/** Runs one in a process of its own. Undefined where it failed, which it has told by then. */
export async function runApart(
  name: string,
  { quick, signal, print }: RunOptions,
): Promise<BenchReport | undefined> {
  const args = [...process.execArgv, main, name, ...(quick ? ['--quick'] : [])]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  // A terminal sends Ctrl-C to it as well: it ends once, of either.
  const stop = () => child.kill('SIGTERM')
  signal.addEventListener('abort', stop, { once: true })
  const ended = once(child, 'exit')
  let last: string | undefined
  for await (const line of createInterface({ input: child.stdout })) {
    if (last !== undefined) print(last)
    last = line
  }
  const [code] = await ended
  signal.removeEventListener('abort', stop)
  signal.throwIfAborted()
  if (code === 0) return benchReport.parse(JSON.parse(last ?? ''))
  print(`${name} failed: it ended with ${code}`)
  return undefined
}
