import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { AppError } from '@dataagent/schema'

/** The first line that a child prints; throws when it ends before. */
export async function firstLine(child: ChildProcess): Promise<string> {
  // Not at its exit: what it printed last may still be on its way.
  const end = once(child, 'close').then(([code, signal]) => {
    throw new AppError('process_failed', `It ended with ${code ?? signal} and printed nothing`)
  })
  const [line] = await Promise.race([once(createInterface(child.stdout as Readable), 'line'), end])
  end.catch(() => {})
  return line
}
