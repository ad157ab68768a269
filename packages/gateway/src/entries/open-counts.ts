/** Counts what is open under a name, in this process. */
export interface OpenCounts {
  /** Undefined where there are too many already; else ends the count of this one, once. */
  enter(name: string): (() => void) | undefined
}

export function createOpenCounts(max: number): OpenCounts {
  const open = new Map<string, number>()

  function leave(name: string): void {
    const left = (open.get(name) ?? 1) - 1
    if (left > 0) open.set(name, left)
    else open.delete(name)
  }

  return {
    enter(name) {
      const count = open.get(name) ?? 0
      if (count >= max) return undefined
      open.set(name, count + 1)
      let isIn = true
      return () => {
        if (isIn) leave(name)
        isIn = false
      }
    },
  }
}
