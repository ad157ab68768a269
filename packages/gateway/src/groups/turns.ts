/** Runs one piece of work after the other; one that fails does not hold up the next. */
export function createTurns() {
  let last: Promise<unknown> = Promise.resolve()

  return function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}
