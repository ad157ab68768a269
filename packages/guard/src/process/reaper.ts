import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Socket } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AppError } from '@dataagent/schema/base'
import { systemClock } from '../clock.ts'
import { reaperScript } from './reaper-script.ts'

/**
 * A small process in a session of its own that outlives the host: when the host ends, in whatever
 * way, their pipe closes and the reaper kills every process the host had started.
 */
export interface Reaper {
  /** Begins the tag of every process that the reaper answers for. */
  readonly tag: string
  readonly pid: number | undefined
  add(leader: number): void
  remove(leader: number): void
  /** Lets the reaper end, as if the host had gone. */
  close(): void
}

export type ReaperKind = 'shell' | 'node'

const shell = '/bin/sh'
const restartAfterMs = 500

export function createReaper(options: { kind?: ReaperKind } = {}): Reaper {
  const kind = options.kind ?? (existsSync(shell) ? 'shell' : 'node')
  const tag = `${randomBytes(16).toString('hex')}.`
  const leaders = new Set<number>()
  let current = start()

  function start(): ChildProcess {
    const child = spawnReaper(kind)
    child.once('exit', () => systemClock.after(restartAfterMs, revive))
    child.stdin?.write(`tag ${tag}\n${[...leaders].map((leader) => `add ${leader}\n`).join('')}`)
    return child
  }

  /**
   * One that was killed from outside would leave the children unguarded: another takes its place.
   */
  function revive(): void {
    const isGone = current.exitCode !== null || current.signalCode !== null
    if (isGone && leaders.size > 0) current = start()
  }

  return {
    tag,
    get pid() {
      return current.pid
    },
    add(leader) {
      leaders.add(leader)
      current.stdin?.write(`add ${leader}\n`)
      revive()
    },
    remove(leader) {
      leaders.delete(leader)
      current.stdin?.write(`remove ${leader}\n`)
    },
    close() {
      leaders.clear()
      current.stdin?.end()
    },
  }
}

function spawnReaper(kind: ReaperKind): ChildProcess {
  const [file, args] =
    kind === 'shell' ? [shell, ['-c', reaperScript]] : [process.execPath, [mainFile()]]
  const child = spawn(file, args, {
    detached: true,
    windowsHide: true,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  child.on('error', () => {})
  if (child.pid === undefined) {
    throw new AppError(
      'process_failed',
      `The process that cleans up after child processes could not be started (${file}). Check that it may be executed and that the limit of processes and open files is not reached.`,
    )
  }
  child.stdin?.on('error', () => {})
  child.unref()
  const pipe = child.stdin as Socket | null
  pipe?.unref()
  return child
}

/** Source and build differ in the suffix alone. */
function mainFile(): string {
  return fileURLToPath(new URL(`./reaper-main${extname(import.meta.url)}`, import.meta.url))
}

let shared: Reaper | undefined

/**
 * The one reaper of this operating-system process: it stands for the process's life, so it is made
 * once, on first use.
 */
export function hostReaper(): Reaper {
  shared ??= createReaper()
  return shared
}
