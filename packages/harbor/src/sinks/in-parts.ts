/** Does `act` for each item, a few at a time. Rejects with the first fault, once all have ended. */
export async function inParts<T>(
  items: readonly T[],
  atOnce: number,
  act: (item: T) => Promise<unknown>,
): Promise<void> {
  for (let at = 0; at < items.length; at += atOnce) {
    const ended = await Promise.allSettled(items.slice(at, at + atOnce).map(act))
    const fault = ended.find((one) => one.status === 'rejected')
    if (fault) throw fault.reason
  }
}
