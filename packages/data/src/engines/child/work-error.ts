import type { RunnerFault } from '../runner/messages.ts'

/** What is told to the one who asked. */
export class WorkError extends Error {
  readonly code: RunnerFault

  constructor(code: RunnerFault, message: string) {
    super(message)
    this.code = code
  }
}
