import { readFile, writeFile } from 'node:fs/promises'

/** Bytes that processes have in memory now, or had at most since `forgetPeaks`. Linux only. */
export async function memoryOf(pids: readonly number[], when: 'now' | 'peak'): Promise<number> {
  const field = when === 'now' ? /^VmRSS:\s+(\d+)/m : /^VmHWM:\s+(\d+)/m
  let kilobytes = 0
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    kilobytes += Number(field.exec(text)?.[1] ?? 0)
  }
  return kilobytes * 1024
}

/** The kernel's order to count the peak from now on (proc_pid_clear_refs(5)). */
const resetPeak = '5'

export async function forgetPeaks(pids: readonly number[]): Promise<void> {
  for (const pid of pids) await writeFile(`/proc/${pid}/clear_refs`, resetPeak).catch(() => {})
}
