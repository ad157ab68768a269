import { readFile } from 'node:fs/promises'

/** Microseconds of CPU that this process has used, all its threads. */
export function ownCpu(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/**
 * Microseconds of CPU that other processes have used, in steps of 10,000; 0 where /proc is absent.
 */
export async function cpuOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map(cpuOfProcess))
  return each.reduce((sum, used) => sum + used, 0)
}

const microsecondsPerTick = 10_000

async function cpuOfProcess(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The command, in brackets, may hold spaces; fields 14 and 15 are user and system ticks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * microsecondsPerTick
}
