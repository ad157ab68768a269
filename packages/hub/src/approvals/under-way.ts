/** Work that nobody waits for until the end. */
export interface UnderWay {
  /** `work` must not reject. */
  keep(work: Promise<void>): void
  /** Resolves when all that was kept so far has ended. */
  done(): Promise<void>
}

export function createUnderWay(): UnderWay {
  const works = new Set<Promise<void>>()
  return {
    keep(work) {
      works.add(work)
      void work.finally(() => works.delete(work))
    },
    async done() {
      await Promise.all(works)
    },
  }
}
