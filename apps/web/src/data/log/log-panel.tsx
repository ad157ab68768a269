import type { DataQueryEntry } from '@dataagent/schema'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useFormats, useWords } from '../../words/use-words.ts'
import type { DataSearch } from '../data-search.ts'
import { dataWords } from '../data-words.ts'
import { faultWords } from '../faults/fault-words.ts'
import { toStatementFault } from '../faults/to-fault.ts'
import { SourceChoice } from '../source-choice.tsx'
import { logWords } from './log-words.ts'

const limit = 50

/** Who has asked what. */
export function LogPanel() {
  const words = useWords(logWords)
  const client = useClient()
  const [{ offset = 0, source }, change] = useAddress<DataSearch>()
  const columns = useColumns()
  const filter = source === undefined ? {} : { source_id: source }
  const query = useQuery({
    queryKey: ['data', 'log', source, offset],
    queryFn: ({ signal }) => client.data.log({ ...filter, limit, offset }, { signal }),
    placeholderData: keepPreviousData,
  })
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-sm text-soft">{words.about}</p>
        <SourceChoice
          value={source ?? ''}
          none={words.allSources}
          onChange={(id) => change({ source: id === '' ? undefined : id, offset: undefined })}
        />
      </div>
      <QueryView query={query}>
        {({ queries, more }) => (
          <>
            {queries.length === 0 ? (
              <Empty icon={<ScrollText />} title={words.empty}>
                {words.emptyAbout}
              </Empty>
            ) : (
              <Table
                caption={words.list}
                columns={columns}
                rows={queries}
                keyOf={({ query_id }) => query_id}
              />
            )}
            <Pager
              {...{ offset, limit, more, count: queries.length }}
              onChange={(next) => change({ offset: next || undefined })}
            />
          </>
        )}
      </QueryView>
    </div>
  )
}

function useColumns(): Column<DataQueryEntry>[] {
  const words = useWords(logWords)
  const common = useWords(dataWords)
  const formats = useFormats()
  return [
    {
      ...{ name: 'time', head: words.time, className: 'whitespace-nowrap' },
      cell: ({ as_of }) => `${formats.day(as_of)} ${formats.clock(as_of)}`,
    },
    { name: 'user', head: words.user, cell: ({ user_id }) => <PlainText text={user_id} /> },
    {
      ...{ name: 'source', head: common.source },
      cell: ({ source_name }) => <PlainText text={source_name} />,
    },
    { ...{ name: 'sql', head: words.sql }, cell: (entry) => <Statement entry={entry} /> },
    {
      ...{ name: 'rows', head: words.rows, align: 'end' },
      cell: ({ row_count }) => (row_count === null ? '—' : formats.number(row_count)),
    },
    {
      ...{ name: 'elapsed', head: words.elapsed, align: 'end' },
      cell: ({ elapsed_ms }) => (
        <span className="whitespace-nowrap">{formats.duration(elapsed_ms)}</span>
      ),
    },
    { ...{ name: 'state', head: words.state }, cell: (entry) => <State entry={entry} /> },
  ]
}

/** The whole of it when it is opened. */
function Statement({ entry: { sql, purpose, error } }: { entry: DataQueryEntry }) {
  const { ownFiles } = useWords(logWords)
  if (sql === null) return <span className="text-soft">{ownFiles}</span>
  return (
    <details className="max-w-md min-w-40">
      <summary className="truncate font-mono text-[13px]">
        <PlainText text={sql.slice(0, 200).replace(/\s+/g, ' ')} />
      </summary>
      {purpose !== null && (
        <p className="mt-1 text-[13px] text-soft">
          <PlainText text={purpose} />
        </p>
      )}
      <pre className="mt-1 max-h-60 overflow-auto text-xs whitespace-pre-wrap [overflow-wrap:anywhere]">
        <PlainText text={sql.slice(0, 20_000)} />
      </pre>
      {error !== null && <Failure said={error} />}
    </details>
  )
}

function Failure({ said }: { said: string }) {
  const [what] = useWords(faultWords).told[toStatementFault(said).kind]
  return (
    <div className="mt-1 text-[13px] [overflow-wrap:anywhere]">
      <p className="text-bad">{what}</p>
      <p className="text-soft">
        <PlainText text={said.slice(0, 1000)} />
      </p>
    </div>
  )
}

function State({ entry: { error, verified_question_id } }: { entry: DataQueryEntry }) {
  const words = useWords(logWords)
  if (error !== null) return <Badge tone="bad">{words.failed}</Badge>
  if (verified_question_id !== null) return <Badge tone="good">{words.verified}</Badge>
  return <Badge>{words.ok}</Badge>
}
