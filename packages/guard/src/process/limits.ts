import { readFile, stat } from 'node:fs/promises'
import { AppError } from '@dataagent/schema/base'

/**
 * Limits of each process in the sandbox; `processes` (threads count too) is of all of them
 * together, and does not hold when the host is root.
 */
export interface ProcessLimits {
  /** Heap and other private memory. */
  memoryBytes?: number
  openFiles?: number
  processes?: number
  cpuSeconds?: number
  /** Of one file that it writes. */
  fileBytes?: number
}

/**
 * The command line inside the sandbox, through util-linux's `prlimit` where limits are asked for.
 * Without that tool it is an error, unless they `areOptional`.
 */
export async function withLimits(
  argv: string[],
  limits: ProcessLimits | undefined,
  { areOptional = false } = {},
): Promise<string[]> {
  const asked = Object.entries(limits ?? {}) as [keyof ProcessLimits, number | undefined][]
  const most = asked.length === 0 ? '' : await readFile('/proc/self/limits', 'utf8').catch(() => '')
  const options = asked.flatMap(([name, value]) => toLimit(name, value, most))
  if (options.length === 0) return argv
  const tool = '/usr/bin/prlimit'
  if (await stat(tool).catch(() => undefined)) return [tool, ...options, '--', ...argv]
  if (areOptional) return argv
  throw new AppError(
    'process_failed',
    `Limits of a process need ${tool}, which is not here. Install util-linux, or start the process without limits.`,
  )
}

/** What `prlimit` calls a limit, and what the kernel does. */
const names = {
  memoryBytes: ['--data', 'Max data size'],
  openFiles: ['--nofile', 'Max open files'],
  processes: ['--nproc', 'Max processes'],
  cpuSeconds: ['--cpu', 'Max cpu time'],
  fileBytes: ['--fsize', 'Max file size'],
} as const

/** At most what this process may have itself: more than that cannot be set. */
function toLimit(name: keyof ProcessLimits, value: number | undefined, most: string): string[] {
  if (value === undefined) return []
  const [option, line] = names[name]
  const hard = Number(new RegExp(`^${line} +\\S+ +(\\d+)`, 'm').exec(most)?.[1] ?? Infinity)
  return [`${option}=${Math.floor(Math.min(value, hard))}`]
}
