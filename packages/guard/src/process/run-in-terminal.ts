import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { checkEnvironment, type Environment } from './environment.ts'
import { resolveCommand } from './resolve-command.ts'
import { toStartError } from './start-error.ts'

export interface TerminalProgram {
  /** An absolute path, or a name looked up in `env.PATH`. Never read by a shell. */
  command: string
  args?: readonly string[]
  env: Environment
  cwd?: string
}

/**
 * One key interrupts the program and this process, and the system may bring it here after it has
 * brought the program's end: so long it is still the program's. One that ended the program is
 * waited for, as long as a busy system may take.
 */
const lateKeysMs = 50
const lateEndMs = 1000

export type TerminalExit =
  | { kind: 'code'; code: number }
  | { kind: 'signal'; signal: NodeJS.Signals }

/**
 * Runs a program that a person uses, such as an editor: it has this process's terminal and its
 * group, and lives as long as the person lets it. Keys that interrupt it do not end this process.
 * Rejects with `process_failed` when it cannot be started.
 */
export async function runInTerminal(program: TerminalProgram): Promise<TerminalExit> {
  const { command, args = [], env, cwd } = program
  checkEnvironment(env)
  const file = await resolveCommand(command, env)
  const seen = new Set<NodeJS.Signals>()
  const leaveToProgram = (signal: NodeJS.Signals) => void seen.add(signal)
  process.on('SIGINT', leaveToProgram).on('SIGQUIT', leaveToProgram)
  try {
    const child = spawn(file, args, { env, cwd, stdio: 'inherit', shell: false })
    const [code, signal] = await once(child, 'exit')
    await delay(lateKeysMs)
    if (signal === null) return { kind: 'code', code }
    if (isKey(signal) && !seen.has(signal)) await keyHere(signal)
    return { kind: 'signal', signal }
  } catch (error) {
    throw toStartError(command, error)
  } finally {
    process.off('SIGINT', leaveToProgram).off('SIGQUIT', leaveToProgram)
  }
}

const isKey = (signal: NodeJS.Signals) => signal === 'SIGINT' || signal === 'SIGQUIT'

const keyHere = (signal: NodeJS.Signals) =>
  once(process, signal, { signal: AbortSignal.timeout(lateEndMs) }).catch(() => {})
