import type { DatasetInfo } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { ClipboardList, Play } from 'lucide-react'
import { QueryView } from '../../api/query-view.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/notice.tsx'
import { Pager } from '../../ui/pager.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { useDatasets, useMayRun } from '../use-evaluations.ts'
import { datasetsWords } from './datasets-words.ts'

interface DatasetListProps {
  offset: number
  onOffset(offset: number): void
  onImport(): void
  onStart(dataset_id: string): void
}

/** The sets of questions of the organisation. */
export function DatasetList({ offset, onOffset, onImport, onStart }: DatasetListProps) {
  const words = useWords(datasetsWords)
  const mayRun = useMayRun()
  const query = useDatasets(offset)
  return (
    <QueryView query={query}>
      {({ datasets, limit, total }) =>
        total === 0 ? (
          <Empty
            icon={<ClipboardList />}
            title={words.emptyTitle}
            action={
              mayRun && (
                <Button kind="primary" onClick={onImport}>
                  {words.import}
                </Button>
              )
            }
          >
            {words.emptyAbout}
          </Empty>
        ) : (
          <div className="flex flex-col gap-3">
            <DatasetTable datasets={datasets} onStart={mayRun ? onStart : undefined} />
            <Pager {...{ offset, limit, total }} count={datasets.length} onChange={onOffset} />
          </div>
        )
      }
    </QueryView>
  )
}

interface DatasetTableProps {
  datasets: readonly DatasetInfo[]
  onStart: ((dataset_id: string) => void) | undefined
}

function DatasetTable({ datasets, onStart }: DatasetTableProps) {
  const words = useWords(evaluationsWords)
  const { list } = useWords(datasetsWords)
  const formats = useFormats()
  const columns: Column<DatasetInfo>[] = [
    { name: 'name', head: words.name, className: 'min-w-44', cell: nameOf },
    {
      ...{ name: 'count', head: words.questions, align: 'end' },
      cell: ({ question_count }) => formats.number(question_count),
    },
    {
      ...{ name: 'owner', head: words.owner },
      cell: ({ user_id }) => <PlainText text={user_id} />,
    },
    {
      ...{ name: 'changed', head: words.changed, className: 'whitespace-nowrap text-soft' },
      cell: ({ updated_at }) => formats.time(updated_at),
    },
    {
      ...{ name: 'actions', head: <span className="sr-only">{words.actions}</span>, align: 'end' },
      cell: ({ dataset_id, name }) =>
        onStart && (
          <span className="-my-1.5 inline-flex">
            <IconButton
              size="small"
              label={words.startOf(name)}
              onClick={() => onStart(dataset_id)}
            >
              <Play className="size-4" />
            </IconButton>
          </span>
        ),
    },
  ]
  return (
    <Table
      caption={list}
      columns={columns}
      rows={datasets}
      keyOf={({ dataset_id }) => dataset_id}
    />
  )
}

const nameOf = ({ dataset_id, name }: DatasetInfo) => (
  <Link
    to="/evaluations/datasets/$datasetId"
    params={{ datasetId: dataset_id }}
    className="font-medium text-accent hover:underline [overflow-wrap:anywhere]"
  >
    <PlainText text={name} />
  </Link>
)
