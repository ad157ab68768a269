import type { DataSource, DataSourceNotes, DataTable, DescribedColumn } from '@dataagent/schema'
import { useState } from 'react'
import { useIsAdmin } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Mono } from '../../ui/details.tsx'
import { TextField } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { ProblemNotice } from '../faults/fault-notice.tsx'
import { useNotes, useTables } from '../use-data.ts'
import { TableForm } from './table-form.tsx'
import { tablesWords } from './tables-words.ts'

/** From so many tables on there is a field to find one. */
const manyFrom = 8

/** What a source holds. Administrators see what is hidden too, and say what things mean. */
export function TableList({ source }: { source: DataSource }) {
  const words = useWords(tablesWords)
  const isManaged = useIsAdmin() && source.scope === 'tenant'
  const query = useTables(source.source_id, isManaged)
  const notes = useNotes(source.source_id, isManaged).data
  const [text, setText] = useState('')
  const [open, setOpen] = useState<DataTable>()
  if (query.isError && !query.data) {
    const again = (
      <Button size="small" busy={query.isFetching} onClick={() => void query.refetch()}>
        {words.again}
      </Button>
    )
    return <ProblemNotice error={query.error} action={again} />
  }
  return (
    <QueryView query={query}>
      {(tables) => {
        if (tables.length === 0) {
          const none = source.scope === 'user' ? words.noFiles : words.none
          return <p className="text-sm text-soft">{none}</p>
        }
        const found = tables.filter((table) => isNamed(table, text))
        return (
          <div className="flex min-w-0 flex-col gap-3">
            {tables.length >= manyFrom && (
              <TextField
                label={words.find}
                type="search"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
            {found.length === 0 && <p className="text-sm text-soft">{words.noMatch}</p>}
            <ul aria-label={words.list(source.name)} className="flex min-w-0 flex-col gap-2">
              {found.map((table) => (
                <TableItem
                  key={table.name}
                  table={table}
                  notes={notes}
                  onDescribe={isManaged && notes ? () => setOpen(table) : undefined}
                />
              ))}
            </ul>
            {open && notes && (
              <TableForm {...{ source, table: open, notes }} onClose={() => setOpen(undefined)} />
            )}
          </div>
        )
      }}
    </QueryView>
  )
}

function isNamed({ name, columns }: DataTable, text: string): boolean {
  const wanted = text.trim().toLowerCase()
  return [name, ...columns.map((column) => column.name)].some((each) =>
    each.toLowerCase().includes(wanted),
  )
}

interface TableItemProps {
  table: DataTable
  notes: DataSourceNotes | undefined
  onDescribe: (() => void) | undefined
}

function TableItem({ table, notes, onDescribe }: TableItemProps) {
  const words = useWords(tablesWords)
  const formats = useFormats()
  const { name, description, row_count, columns } = table
  const noted = notes?.tables[name]
  return (
    <li className="min-w-0 rounded-lg border border-line">
      <details>
        <summary className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm">
          <Mono text={name} />
          {noted?.hidden && <Badge tone="wait">{words.hidden}</Badge>}
          <span className="min-w-0 flex-1 truncate text-soft">
            {description !== undefined && <PlainText text={description} />}
          </span>
          {row_count !== null && (
            <span className="text-[13px] text-soft">{words.rows(formats.number(row_count))}</span>
          )}
        </summary>
        <div className="flex min-w-0 flex-col gap-2 border-t border-line p-3">
          {onDescribe && (
            <Button size="small" className="self-start" onClick={onDescribe}>
              {words.describe}
            </Button>
          )}
          <Table
            caption={name}
            rows={columns}
            keyOf={(column) => column.name}
            columns={toHeads(words, noted)}
          />
        </div>
      </details>
    </li>
  )
}

function toHeads(
  words: (typeof tablesWords)['en'],
  noted: DataSourceNotes['tables'][string] | undefined,
): Column<DescribedColumn>[] {
  return [
    {
      ...{ name: 'name', head: words.column },
      cell: ({ name }) => (
        <span className="flex flex-wrap items-center gap-2">
          <Mono text={name} />
          {noted?.columns?.[name]?.hidden && <Badge tone="wait">{words.hidden}</Badge>}
        </span>
      ),
    },
    { name: 'type', head: words.type, cell: ({ type }) => <Mono text={type} /> },
    {
      ...{ name: 'meaning', head: words.meaning },
      cell: ({ description }) => description !== undefined && <PlainText text={description} />,
    },
  ]
}
