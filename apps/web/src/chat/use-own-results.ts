import type { QueryResult } from '@dataagent/schema'
import { useMemo } from 'react'
import { placeOwn } from '../data/own/place-own.ts'
import { useOwnQueries } from '../data/own/use-own-queries.ts'
import type { ChatView, SessionQuery } from './log/chat-log.ts'
import { type SessionResult, toQueryShape } from './session-results.ts'

/** What the reader has run beside the agent's queries, newest first. */
export function useOwnResults(
  session_id: string,
  queries: ChatView['queries'],
): readonly SessionResult[] {
  const listed = useOwnQueries(session_id, '')
  return useMemo(() => {
    const shown = [...queries.values()]
    const turnOf = new Map(shown.map(({ query, turn_key }) => [query.query_id, turn_key]))
    const places = placeOwn(listed, shown.map(toQuery))
    const results = [...places].flatMap(([place, own]) =>
      own.map(({ query }) => toResult(query, turnOf.get(place) ?? '')),
    )
    return results.sort((a, b) => b.at - a.at)
  }, [listed, queries])
}

const toQuery = ({ query }: SessionQuery) => query

function toResult(query: QueryResult, turn_key: string): SessionResult {
  const { query_id, as_of } = query
  return {
    ...{ key: `own ${query_id}`, turn_key, tool_call_id: '', tool_name: '', at: as_of },
    shape: toQueryShape(query),
  }
}
