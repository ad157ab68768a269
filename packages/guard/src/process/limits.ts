import { stat } from 'node:fs/promises'
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
}

/**
 * The command line inside the sandbox, through util-linux's `prlimit` where limits are asked for.
 */
export async function withLimits(
  argv: string[],
  limits: ProcessLimits | undefined,
): Promise<string[]> {
  const options = [
    ...toLimit('--data', limits?.memoryBytes),
    ...toLimit('--nofile', limits?.openFiles),
    ...toLimit('--nproc', limits?.processes),
    ...toLimit('--cpu', limits?.cpuSeconds),
  ]
  if (options.length === 0) return argv
  const tool = '/usr/bin/prlimit'
  if (await stat(tool).catch(() => undefined)) return [tool, ...options, '--', ...argv]
  throw new AppError(
    'process_failed',
    `Limits of a process need ${tool}, which is not here. Install util-linux, or start the process without limits.`,
  )
}

function toLimit(option: string, value: number | undefined): string[] {
  return value === undefined ? [] : [`${option}=${Math.floor(value)}`]
}
