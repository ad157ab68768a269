import type { QueryResult } from '@dataagent/schema'
import { BadgeCheck } from 'lucide-react'
import { Badge } from '../../ui/badge.tsx'
import { Details, Mono } from '../../ui/details.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { queryWords } from './query-words.ts'
import { useTotal } from './use-total.ts'

/** Where the numbers come from, and of when they are. */
export function AboutTab({ query }: { query: QueryResult }) {
  const words = useWords(queryWords)
  const formats = useFormats()
  const total = useTotal(query)
  const { source_name, purpose, as_of, elapsed_ms, kept_rows, row_count } = query
  const isVerified = query.verified_question_id !== undefined
  return (
    <Details
      rows={[
        [words.source, <PlainText key="source" text={source_name} />],
        [words.purpose, purpose !== undefined && <PlainText text={purpose} />],
        [words.asOf, `${formats.day(as_of)} ${formats.clock(as_of)}`],
        [words.elapsed, formats.duration(elapsed_ms)],
        [words.rowCount, total],
        [words.kept, row_count !== kept_rows && formats.number(kept_rows)],
        [words.verified, isVerified && words.verifiedAbout],
        [words.cites, <Mono key="ref" text={`[${query.ref}]`} />],
        [words.queryId, <Mono key="id" text={query.query_id} />],
      ]}
    />
  )
}

export function VerifiedBadge() {
  const words = useWords(queryWords)
  return (
    <span title={words.verifiedAbout}>
      <Badge tone="good">
        <BadgeCheck aria-hidden="true" className="size-3.5" /> {words.verified}
      </Badge>
    </span>
  )
}
