interface Kept<T> {
  at: number
  found: Promise<T>
}

/** Reads at most once in this time; what could not be read is not kept. */
export function keep<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let kept: Kept<T> | undefined

  function readAnew(at: number): Kept<T> {
    const anew = { at, found: read() }
    anew.found.catch(() => {
      if (kept === anew) kept = undefined
    })
    return anew
  }

  return () => {
    const now = performance.now()
    if (kept === undefined || now - kept.at > ms) kept = readAnew(now)
    return kept.found
  }
}
