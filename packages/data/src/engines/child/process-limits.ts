import type { RunnerLimits } from '../runner/messages.ts'

/** With this code a runner tells that its memory was used up. */
export const memoryExitCode = 86

/** What Node, the engine's code and rows on their way take besides. */
const overheadBytes = 384 * 1024 * 1024

/** What the whole process may hold. */
export function processBytes({ memoryBytes }: Pick<RunnerLimits, 'memoryBytes'>): number {
  return memoryBytes + overheadBytes
}
