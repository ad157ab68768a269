/** The highest of the versions, however many there are. */
export function highest(version: number, others: Iterable<number>): number {
  let found = version
  for (const other of others) found = Math.max(found, other)
  return found
}
