import { spawn } from 'node:child_process'

/** Signals the group that `leader` leads. A group that has gone is no error. */
export function signalGroup(leader: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') endTree(leader)
  else signalOne(-leader, signal)
}

export function signalEach(pids: Iterable<number>, signal: NodeJS.Signals): void {
  for (const pid of pids) signalOne(pid, signal)
}

function signalOne(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // macOS says EPERM for a group in which only zombies are left.
    if (code !== 'ESRCH' && code !== 'EPERM') throw error
  }
}

/** Windows has neither groups nor signals: its own tool ends a process with all it started. */
function endTree(pid: number): void {
  const options = { stdio: 'ignore', windowsHide: true } as const
  spawn('taskkill', ['/pid', String(pid), '/t', '/f'], options).on('error', () => {})
}
