/** Writes that nobody waits for one by one. */
export interface Writes {
  add(write: Promise<void> | undefined): void
  /** Rejects with the first that failed. */
  settled(): Promise<void>
}

export function createWrites(onFailure: () => void): Writes {
  const pending = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined

  return {
    add(write) {
      if (!write) return
      const handled = write
        .catch((error) => {
          failure ??= { error }
          onFailure()
        })
        .finally(() => pending.delete(handled))
      pending.add(handled)
    },
    async settled() {
      await Promise.all(pending)
      if (failure) throw failure.error
    },
  }
}
