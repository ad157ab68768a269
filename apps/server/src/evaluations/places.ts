/** So many at once; others wait in line. */
export interface Places {
  /** Resolves when there is a place. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<{ leave(): void }>
}

export function createPlaces(max: number): Places {
  const line: (() => void)[] = []
  let taken = 0

  function leave(): void {
    taken -= 1
    line.shift()?.()
  }

  return {
    async take(signal) {
      while (taken >= max) await wait(line, signal)
      // The place that it was told of is the next one's.
      if (signal.aborted) line.shift()?.()
      signal.throwIfAborted()
      taken += 1
      return { leave }
    },
  }
}

function wait(line: (() => void)[], signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const go = () => {
      signal.removeEventListener('abort', give)
      resolve()
    }
    const give = () => {
      line.splice(line.indexOf(go), 1)
      reject(signal.reason)
    }
    signal.addEventListener('abort', give, { once: true })
    if (signal.aborted) give()
    else line.push(go)
  })
}
