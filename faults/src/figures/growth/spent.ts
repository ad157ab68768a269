import { readdir, readFile } from 'node:fs/promises'

/** What processes and all that they have started use. Linux only. */
export interface Spent {
  /** CPU time since their start, in microseconds, in steps of 10,000. */
  cpuMicros: number
  /** Resident memory now, in bytes. */
  residentBytes: number
}

const microsPerTick = 10_000
const bytesPerPage = 4_096

export async function spentBy(pids: readonly number[]): Promise<Spent> {
  const all = await listProcesses()
  const family = all.filter(({ pid }) => pids.includes(pid))
  for (const { pid } of family) family.push(...all.filter(({ parent }) => parent === pid))
  return {
    cpuMicros: sum(family.map(({ ticks }) => ticks)) * microsPerTick,
    residentBytes: sum(family.map(({ pages }) => pages)) * bytesPerPage,
  }
}

/** See proc_pid_stat(5): pid (name) state ppid …, where the name may hold spaces and brackets. */
async function listProcesses() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const texts = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')),
  )
  return texts
    .filter((text) => text !== '')
    .map((text) => {
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
      const [parent, user, system, pages] = [1, 11, 12, 21].map((at) => Number(fields[at]))
      const pid = Number.parseInt(text, 10)
      return { pid, parent: parent!, ticks: user! + system!, pages: pages! }
    })
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
