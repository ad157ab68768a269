/** What a program that draws a streamed answer is asked to do. */
export interface StreamSetting {
  /** Lines that stand above the answer. */
  history: number
  /** How often the answer grows. */
  updates: number
  paceMs: number
  /** Where it writes what it has spent. */
  report: string
}

/** What the updates took, in microseconds: the history is there before. */
export interface StreamReport {
  wall: number
  cpu: number
}

/** Draws an answer that grows, each in its own way. */
export interface Drawing {
  /** Above the answer, for good. Resolves when the terminal has all of it. */
  addHistory(lines: readonly string[]): Promise<void>
  /** The answer so far, whole. */
  update(answer: string): void
  /** Resolves when the terminal has it all. */
  end(): Promise<void>
}
