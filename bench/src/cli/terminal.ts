import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { waitFor } from '@dataagent/testkit'
import { cpuOf, familyOf } from '../harness.ts'

export interface Terminal extends AsyncDisposable {
  /** All that the program has written to it. */
  output(): string
  /** Resolves as soon as the output fits; rejects where the program ends before. */
  until(pattern: RegExp): Promise<void>
  /** CPU of the program itself so far, without what it has started, in microseconds. */
  cpu(): Promise<number>
  ended: Promise<void>
}

export interface TerminalOptions {
  command: readonly string[]
  env: Record<string, string>
  cwd: string
}

/** Runs a program on a pseudo-terminal of 100 × 30, which `script` of util-linux makes. */
export function openTerminal({ command, env, cwd }: TerminalOptions): Terminal {
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  const sized = `stty cols 100 rows 30; exec ${line}`
  const child = spawn('script', ['-qfec', sized, '/dev/null'], {
    ...{ cwd, stdio: ['pipe', 'pipe', 'ignore'] },
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env },
  })
  let output = ''
  let wake = () => {}
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    output += text
    wake()
  })
  const ended = once(child, 'close').then(() => wake())
  const isOver = () => child.exitCode !== null || child.signalCode !== null

  return {
    output: () => output,
    async until(pattern) {
      while (!pattern.test(output)) {
        if (isOver()) throw new Error(`${command.join(' ')} ended: ${output.slice(-500)}`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    async cpu() {
      const [, program = 0] = await familyOf(child.pid!)
      return cpuOf([program])
    },
    ended,
    async [Symbol.asyncDispose]() {
      const family = await familyOf(child.pid!)
      for (const pid of family.slice(1)) kill(pid, 'SIGTERM')
      const isGone = () => family.slice(1).every((pid) => !kill(pid, 0))
      await waitFor(isGone, { timeoutMs: 10_000 }).catch(() => {
        for (const pid of family) kill(pid, 'SIGKILL')
      })
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Whether there was such a process. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
