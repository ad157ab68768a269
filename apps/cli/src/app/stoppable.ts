export interface StoppableOptions {
  /** Of the program: what is left ends with it. */
  signal: AbortSignal
  now(): number
  onChange(): void
}

/** Work that waits for others, beside the turns of the session: commands. */
export interface Stoppable {
  /** Of what was begun last; undefined where nothing is under way. */
  readonly since: number | undefined
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Aborts what was begun last; false where nothing is under way that was not stopped already. */
  stop(): boolean
}

export function createStoppable({ signal, now, onChange }: StoppableOptions): Stoppable {
  const underWay: { since: number; control: AbortController }[] = []

  return {
    get since() {
      return underWay.at(-1)?.since
    },
    async run(work) {
      const one = { since: now(), control: new AbortController() }
      underWay.push(one)
      onChange()
      try {
        return await work(AbortSignal.any([signal, one.control.signal]))
      } finally {
        underWay.splice(underWay.indexOf(one), 1)
        onChange()
      }
    },
    stop() {
      const last = underWay.findLast(({ control }) => !control.signal.aborted)
      last?.control.abort()
      return last !== undefined
    },
  }
}
