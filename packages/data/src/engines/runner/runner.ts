import { realpath, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Clock, type ProcessExit, type ProcessHandle, startProcess } from '@dataagent/guard'
import { AppError } from '@dataagent/schema'
import { makeScratch } from '../../scratch/index.ts'
import { memoryExitCode } from '../child/process-limits.ts'
import { createFrameReader, toFrame } from './frames.ts'
import type { RunnerLimits, RunnerNews, RunnerOrder, RunnerSource } from './messages.ts'
import { runnerFile, runnerFolders } from './program.ts'

/** A process of ours that asks one source, one piece of work at a time. */
export interface Runner {
  readonly pid: number
  readonly version: string
  /** The news of one order, until it ends; a `failed` is thrown, and so is the process's end. */
  run(order: RunnerOrder): RunnerWork
  readonly gone: Promise<unknown>
  close(): Promise<void>
}

export interface RunnerWork {
  /** Undefined at the end. */
  next(): Promise<RunnerNews | undefined>
  /** One more batch may come. */
  more(): void
  /** Ends the work; false where it had not ended in time and the process must go. */
  stop(graceMs: number): Promise<boolean>
}

export interface StartRunnerOptions {
  source: RunnerSource
  limits: RunnerLimits
  /** Where it gets a folder of its own. */
  temporaryRoot: string
  /** See guard's sandbox; `preferred` is one where the machine can make it. */
  sandbox: 'preferred' | 'required' | 'off'
  signal: AbortSignal
  clock: Clock
}

const longestNews = 64 * 1024 * 1024
const stopMs = 1_000

export async function startRunner(options: StartRunnerOptions): Promise<Runner> {
  const { limits, signal, clock } = options
  const source = await toRealSource(options.source)
  const temporaryFolder = await makeScratch(await realpath(options.temporaryRoot), 'runner')
  const removeFolder = () => rm(temporaryFolder, { recursive: true, force: true }).catch(() => {})
  try {
    const handle = await startProcess({
      command: process.execPath,
      args: [`--max-old-space-size=256`, '--disable-warning=ExperimentalWarning', runnerFile],
      env: { TZ: 'UTC' },
      sandbox: {
        mode: options.sandbox,
        read: [...runnerFolders(), 'folder' in source ? source.folder : dirname(source.path)],
        write: [temporaryFolder],
      },
      ...{ clock, graceMs: stopMs },
    })
    const runner = speakWith(handle, removeFolder)
    try {
      const began = runner.run({ kind: 'begin', source, limits, temporaryFolder })
      const news = await untilAborted(began.next(), signal)
      if (news?.kind !== 'ready') throw new AppError('unavailable', 'The source did not open.')
      return { ...runner, version: news.version }
    } catch (error) {
      await runner.close()
      throw error
    }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

/** Links in the path of the source itself are its owner's; those within are looked at later. */
async function toRealSource(source: RunnerSource): Promise<RunnerSource> {
  try {
    if ('folder' in source) return { ...source, folder: await realpath(source.folder) }
    return { ...source, path: await realpath(source.path) }
  } catch (cause) {
    const what = 'folder' in source ? 'folder' : 'file'
    throw new AppError('unavailable', `The ${what} of this source is not there.`, { cause })
  }
}

function speakWith(handle: ProcessHandle, onGone: () => Promise<void>) {
  const reader = createFrameReader({ mostBytes: longestNews })
  let listener: ((news: RunnerNews | Error) => void) | undefined
  let ended: Error | undefined
  let closing: Promise<void> | undefined
  const gone = handle.exited.then(async (exit) => {
    ended = toExitError(exit, handle.stderrTail())
    listener?.(ended)
    await onGone()
  })
  handle.stdout.on('data', (piece: Buffer) => {
    try {
      for (const news of reader.push(piece)) listener?.(news as RunnerNews)
    } catch {
      void handle.kill()
    }
  })

  return {
    pid: handle.pid,
    gone,
    close() {
      closing ??= handle.kill().then(() => gone)
      return closing
    },
    run(order: RunnerOrder): RunnerWork {
      const work = createWork((message) => void handle.stdin.write(toFrame(message)))
      listener = work.take
      if (ended) work.take(ended)
      else handle.stdin.write(toFrame(order))
      return work
    },
  }
}

function createWork(send: (order: RunnerOrder) => void) {
  const unread: (RunnerNews | Error)[] = []
  const finished = Promise.withResolvers<boolean>()
  let wake: (() => void) | undefined
  let isOver = false

  return {
    take(news: RunnerNews | Error) {
      if (isOver) return
      isOver = news instanceof Error || isLast(news)
      if (isOver) finished.resolve(!(news instanceof Error))
      unread.push(news)
      wake?.()
    },
    async next() {
      while (unread.length === 0) {
        if (isOver) return undefined
        await new Promise<void>((resolve) => (wake = resolve))
      }
      const news = unread.shift()!
      if (news instanceof Error) throw news
      if (news.kind === 'failed') throw new AppError(news.code, news.message)
      return news.kind === 'end' ? undefined : news
    },
    more: () => send({ kind: 'more' }),
    async stop(graceMs: number) {
      if (isOver) return await finished.promise
      send({ kind: 'stop' })
      unread.length = 0
      const late = Promise.withResolvers<boolean>()
      const timer = setTimeout(() => late.resolve(false), graceMs)
      return await Promise.race([finished.promise, late.promise]).finally(() => clearTimeout(timer))
    },
  }
}

function isLast({ kind }: RunnerNews): boolean {
  return kind === 'end' || kind === 'failed' || kind === 'ready'
}

/** Rejects as soon as `signal` aborts. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  promise.catch(() => {})
  const aborted = Promise.withResolvers<never>()
  const onAbort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  return await Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', onAbort),
  )
}

function toExitError({ code, signal }: ProcessExit, said: string): AppError {
  if (code === memoryExitCode || /heap out of memory/.test(said)) {
    return new AppError(
      'too_large',
      'The query used more memory than it may have and was ended. Filter, aggregate or limit.',
    )
  }
  return new AppError(
    'unavailable',
    `The process that ran the query has ended (${signal ?? `code ${code}`}). Ask again.`,
  )
}
