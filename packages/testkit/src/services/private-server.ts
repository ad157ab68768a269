import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '@dataagent/schema'
import { waitFor } from '../wait-for.ts'
import { findFreePort } from './free-port.ts'
import type { InstanceDirectory } from './instance-directory.ts'
import type { Owner } from './owner.ts'
import { isAnyAlive, isStopped, processTree, sendSignal } from './processes.ts'

/**
 * A server of the test's own, to be killed, frozen and started again. Its data goes when it is
 * disposed of.
 */
export interface PrivateServer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Of the main process; changes with each start. */
  readonly pid: number
  /**
   * Sends `signal` (default SIGKILL) to all processes of the server and waits until they are gone.
   */
  kill(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again after `kill` or `stop`, on the same port and data. */
  start(): Promise<void>
  /** Freezes it: connections stay open and nothing is answered. */
  pause(): Promise<void>
  resume(): void
  /** Ends it in good order. */
  stop(): Promise<void>
}

export interface ServerProgram {
  command: string
  args: string[]
  owner: Owner | undefined
  directory: InstanceDirectory
  /** In its log, once it takes connections. */
  ready: RegExp
  /** Ends it in good order, not waiting for clients. */
  stopSignal: NodeJS.Signals
  /** Ends it at once, leaving nothing in the system. */
  endSignal: NodeJS.Signals
}

export interface StartServerOptions {
  /** Says how to run the server on a port. */
  program(port: number): ServerProgram
  url(port: number): string
  /** Tidies what a killed server leaves outside its directory. */
  afterEnd?(): Promise<void>
}

/** Starts the server on a free port; another one if somebody else takes that port meanwhile. */
export async function startServer(options: StartServerOptions): Promise<PrivateServer> {
  for (let tries = 1; ; tries++) {
    const port = await findFreePort()
    const program = options.program(port)
    try {
      return toPrivateServer(program, await startProcess(program), port, options)
    } catch (error) {
      if (!/address already in use/i.test(String(error)) || tries === 5) throw error
    }
  }
}

function toPrivateServer(
  program: ServerProgram,
  first: ChildProcess,
  port: number,
  { url, afterEnd }: StartServerOptions,
): PrivateServer {
  let child = first
  const pid = () => child.pid as number

  async function end(signal: NodeJS.Signals, to: 'all' | 'main') {
    const targets = processTree(pid())
    for (const target of to === 'all' ? targets : targets.slice(0, 1)) sendSignal(target, signal)
    for (const target of targets) sendSignal(target, 'SIGCONT')
    await waitFor(() => hasExited(child) && !isAnyAlive(targets), {
      timeoutMs: 20_000,
      what: `${signal} to end ${program.command}`,
    })
  }

  return {
    url: url(port),
    port,
    get pid() {
      return pid()
    },
    kill: (signal = 'SIGKILL') => end(signal, 'all'),
    async start() {
      if (isAnyAlive([pid()]))
        throw new AppError('conflict', 'The server runs already; stop it first')
      child = await startProcess(program)
    },
    async pause() {
      const targets = processTree(pid())
      for (const target of targets) sendSignal(target, 'SIGSTOP')
      await waitFor(() => targets.every(isStopped), { intervalMs: 1 })
    },
    resume() {
      for (const target of processTree(pid())) sendSignal(target, 'SIGCONT')
    },
    stop: () => end(program.stopSignal, 'main'),
    async [Symbol.asyncDispose]() {
      await end(program.endSignal, 'main').catch(() => end('SIGKILL', 'all'))
      await afterEnd?.()
      await program.directory[Symbol.asyncDispose]()
    },
  }
}

async function startProcess(program: ServerProgram): Promise<ChildProcess> {
  const { command, args, owner, directory, ready } = program
  const log = openLog(program)
  const child = spawn(command, args, {
    cwd: directory.path,
    stdio: ['ignore', log.fd, log.fd],
    detached: true,
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', HOME: directory.path },
    ...owner,
  })
  closeSync(log.fd)
  await once(child, 'spawn')
  child.unref()
  directory.watch(child.pid)
  child.once('exit', () => directory.watch(undefined))
  const state = await waitFor(() => startState(child, log.path, ready), {
    timeoutMs: 60_000,
    what: `${command} to be ready`,
  }).catch(() => 'neither ready nor ended')
  if (state === 'ready') return child
  child.kill('SIGKILL')
  const tail = (await readFile(log.path, 'utf8')).trimEnd().split('\n').slice(-20).join('\n')
  throw new AppError('unavailable', `${command} did not start (${state}):\n${tail}`)
}

/** Each start has a log of its own, so that the words "ready" in it are of this start. */
function openLog({ directory, owner }: ServerProgram): { path: string; fd: number } {
  const path = join(directory.path, `log-${process.hrtime.bigint()}`)
  const fd = openSync(path, 'w')
  if (owner) chownSync(path, owner.uid, owner.gid)
  return { path, fd }
}

/**
 * Its main thread may be gone and its sockets still open: only the exit that Node reports is the
 * end.
 */
function hasExited(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function startState(
  child: ChildProcess,
  logPath: string,
  ready: RegExp,
): Promise<string | undefined> {
  const end = child.exitCode ?? child.signalCode
  if (ready.test(await readFile(logPath, 'utf8'))) return 'ready'
  return end === null ? undefined : `ended with ${end}`
}
