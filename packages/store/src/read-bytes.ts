/** What one read of a log gives, and the event that it ends with: processes read many at once. */
export const readBytesMax = 8 * 1024 * 1024

/** How many of the events, by their sizes, one read gives: at least one. */
export function countWithin(sizes: readonly number[]): number {
  let bytes = 0
  const last = sizes.findIndex((size) => {
    bytes += size
    return bytes >= readBytesMax
  })
  return last === -1 ? sizes.length : last + 1
}
