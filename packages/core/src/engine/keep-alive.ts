/** The longest that a timer can wait. */
const forever = 2 ** 31 - 1

/**
 * Keeps the process alive until disposed of: a run that only waits, for a person or for its next
 * try, has not ended.
 */
export function keepAlive(): Disposable {
  const timer = setInterval(() => {}, forever)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
