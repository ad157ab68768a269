/** A page of what is not counted: one row more is asked for than is given. */
export async function openPage<T>(
  { limit, offset }: { limit: number; offset: number },
  read: (page: { limit: number; offset: number }) => Promise<readonly T[]>,
) {
  const found = await read({ limit: limit + 1, offset })
  return { rows: found.slice(0, limit), limit, offset, more: found.length > limit }
}
