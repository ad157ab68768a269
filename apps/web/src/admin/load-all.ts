/** A part of a list, of which it is known how long it is or whether it goes on. */
type Paged<Row> = { rows: readonly Row[] } & ({ total: number } | { more: boolean })

export type LoadPage<Row> = (
  page: { limit: number; offset: number },
  options: { signal: AbortSignal },
) => Promise<Paged<Row>>

const limit = 200

/** The rows of all pages, up to `max`; `isCut` where there are more. */
export async function loadAll<Row>(
  load: LoadPage<Row>,
  { max, signal }: { max: number; signal: AbortSignal },
): Promise<{ rows: Row[]; isCut: boolean }> {
  const rows: Row[] = []
  for (;;) {
    signal.throwIfAborted()
    const page = await load({ limit, offset: rows.length }, { signal })
    rows.push(...page.rows)
    const hasMore = 'more' in page ? page.more : rows.length < page.total
    const goesOn = hasMore && page.rows.length > 0
    if (!goesOn || rows.length >= max) {
      return { rows: rows.slice(0, max), isCut: goesOn || rows.length > max }
    }
  }
}
