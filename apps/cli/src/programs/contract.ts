import type { FlagValues } from '../args/index.ts'
import type { PlatformOptions } from '../platform/index.ts'

/** What a program was called with. */
export interface ProgramCall {
  words: readonly string[]
  flags: FlagValues
  rest: readonly string[]
}

/** What a program that is not interactive has of the process. */
export interface ProgramContext extends PlatformOptions {
  env: Record<string, string | undefined>
  stdin: NodeJS.ReadStream
  stdout: NodeJS.WriteStream
  stderr: NodeJS.WriteStream
  /** Aborted when nobody reads standard output any more. */
  readerGone: AbortSignal
  /** The folder of this package. */
  packageDir: string
}

/** Resolves with the exit code; what it rejects with is told as one line, and the code is 1. */
export type Program = (call: ProgramCall, context: ProgramContext) => Promise<number>
