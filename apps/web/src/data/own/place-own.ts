import type { QueryResult } from '@dataagent/schema'

/** A query that somebody has run beside what the agent ran. */
export interface OwnQuery {
  query: QueryResult
  /** The query whose statement was changed for it, where that is known. */
  below?: string
  /** Whether its rows are not here yet. */
  isBrief?: boolean
}

/** The queries that the agent has not shown, each below one that it has, by the id of that one. */
export function placeOwn(
  listed: readonly OwnQuery[],
  shown: readonly QueryResult[],
): ReadonlyMap<string, readonly OwnQuery[]> {
  const places = new Map<string, OwnQuery[]>()
  const known = new Set(shown.map(({ query_id }) => query_id))
  for (const own of listed) {
    const place = own.below ?? findPlace(own.query, shown)
    if (known.has(own.query.query_id) || place === undefined) continue
    places.set(place, [...(places.get(place) ?? []), own])
  }
  return places
}

/** The last one before it that it may have come from: what is changed keeps its purpose. */
function findPlace(own: QueryResult, shown: readonly QueryResult[]): string | undefined {
  const before = shown.filter((each) => numberOf(each) < numberOf(own))
  const alike = before.filter(
    ({ source_id, purpose }) => source_id === own.source_id && purpose === own.purpose,
  )
  return (alike.at(-1) ?? before.at(-1) ?? shown[0])?.query_id
}

function numberOf({ ref }: QueryResult): number {
  return Number(ref.slice(1))
}
