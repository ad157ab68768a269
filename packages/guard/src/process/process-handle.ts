import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import type { Clock } from '../clock.ts'
import { collectStderr } from './collect-stderr.ts'
import type { Launch } from './plan-launch.ts'
import { openSandbox } from './sandbox-pipes.ts'
import { createTermination } from './termination.ts'

const lastOutputMs = 100

export interface ProcessExit {
  code: number | null
  signal: NodeJS.Signals | null
}

/**
 * A running process with all that it starts: they end together. `stop` it in every case: after an
 * exit by itself that frees its pipes.
 */
export interface ProcessHandle extends AsyncDisposable {
  readonly pid: number
  /** A write after the process has gone fails in its callback; it is never an unhandled error. */
  readonly stdin: Writable
  /** Can be read to its end after the exit too, until `stop`. */
  readonly stdout: Readable
  readonly sandboxed: boolean
  /** The end of what it wrote to stderr; complete when `stop` has settled. */
  stderrTail(): string
  /** Settles the moment the process has gone; never rejects. */
  readonly exited: Promise<ProcessExit>
  /**
   * Closes stdin, then TERM, then KILL after `graceMs`, to the whole group; settles when all have
   * gone and the pipes are freed. Later calls join the first.
   */
  stop(options?: { graceMs?: number }): Promise<ProcessExit>
  /** KILL to the whole group, now. */
  kill(): Promise<ProcessExit>
}

export type StartedChild = ChildProcess & {
  pid: number
  stdin: Writable
  stdout: Readable
  stderr: Readable
}

export interface HandleNeeds {
  child: StartedChild
  launch: Launch
  tag: string
  stderrBytes: number
  onStderr: ((line: string) => void) | undefined
  signal: AbortSignal | undefined
  graceMs: number
  clock: Clock
  onExit(): void
}

export function createHandle(needs: HandleNeeds): ProcessHandle {
  const { child, launch, clock, signal } = needs
  const { pid, stdin, stdout } = child
  const { promise: exited, resolve: settle } = Promise.withResolvers<ProcessExit>()
  const stderr = collectStderr(child.stderr, needs)
  const sandbox = launch.kind === 'sandboxed' ? openSandbox(child, launch.view) : undefined
  const innerGroup = () => sandbox?.innerGroup()
  const termination = createTermination({ pid, tag: needs.tag, innerGroup, exited, clock })
  let swept: Promise<void> = Promise.resolve()
  let stopping: Promise<ProcessExit> | undefined

  for (const emitter of [child, stdin, stdout]) emitter.on('error', () => {})
  keepOutput(child)
  const onAbort = () => void stop()
  signal?.addEventListener('abort', onAbort, { once: true })
  child.once('exit', (code, by) => {
    needs.onExit()
    signal?.removeEventListener('abort', onAbort)
    swept = termination.sweep({ killed: by !== null })
    settle(sandbox ? fromSandboxExit(code, by) : { code, signal: by })
  })

  function stop({ graceMs = needs.graceMs } = {}): Promise<ProcessExit> {
    stopping ??= end(() => termination.windDown(graceMs))
    return stopping
  }

  async function kill(): Promise<ProcessExit> {
    await termination.kill()
    return stop()
  }

  async function end(windDown: () => Promise<void>): Promise<ProcessExit> {
    stdin.end()
    await windDown()
    await swept
    const read = isBeingRead(stdout) ? [stdout, stderr.reader] : [stderr.reader]
    await Promise.all(read.map((stream) => closesSoon(stream, clock)))
    for (const stream of [stdin, stdout, stderr.reader]) stream.destroy()
    return exited
  }

  return {
    pid,
    stdin,
    stdout,
    sandboxed: launch.kind === 'sandboxed',
    stderrTail: stderr.tail,
    exited,
    stop,
    kill,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}

/**
 * When a child has gone, Node reads its streams to the end by itself, past a reader that has paused
 * or not yet come. It does so for the streams in this list; `stdout` itself stays as it is.
 */
function keepOutput(child: ChildProcess): void {
  const streams: unknown[] = child.stdio
  streams[1] = null
}

function isBeingRead(stream: Readable): boolean {
  return stream.readableFlowing !== null || stream.listenerCount('readable') > 0
}

/**
 * Gives what the process wrote last the time to be read; a stray that holds the pipe open gets no
 * more than that.
 */
function closesSoon(stream: Readable, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(lastOutputMs, resolve)
  if (stream.closed) resolve()
  stream.once('close', resolve)
  return promise.finally(cancel)
}

/** Bubblewrap tells of a signal as shells do: 128 and the signal's number. */
function fromSandboxExit(code: number | null, signal: NodeJS.Signals | null): ProcessExit {
  const entries = Object.entries(constants.signals) as [NodeJS.Signals, number][]
  const inner = entries.find(([, number]) => code === 128 + number)
  return inner ? { code: null, signal: inner[0] } : { code, signal }
}
