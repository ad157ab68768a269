import type { Citations } from '@dataagent/schema'
import type { SessionQuery } from '../../chat/log/chat-log.ts'

export interface CitedQuery {
  query_id: string
  /** Where this chat shows it. */
  shown: SessionQuery | undefined
}

/**
 * The query that `ref` names in an answer. What the server has found of the answer goes before what
 * the chat shows by that number: of a copied chat both may not be the same.
 */
export function findCited(
  ref: string,
  citations: Pick<Citations, 'cited'> | undefined,
  queries: ReadonlyMap<string, SessionQuery>,
): CitedQuery | undefined {
  const shown = queries.get(ref)
  const query_id = citations?.cited.find((each) => each.ref === ref)?.query_id
  if (query_id === undefined) return shown && { query_id: shown.query.query_id, shown }
  return { query_id, shown: shown?.query.query_id === query_id ? shown : undefined }
}
