import type { DataSource, DataSourceNotes, DataTable } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { cx } from '../../ui/cx.ts'
import { Mono } from '../../ui/details.tsx'
import { controlClass, Switch, TextArea } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { TickBox } from '../../ui/tick-box.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { dataWords } from '../data-words.ts'
import { type Said, toSaid, withTable } from './table-notes.ts'
import { tablesWords } from './tables-words.ts'

interface TableFormProps {
  source: DataSource
  table: DataTable
  notes: DataSourceNotes
  onClose(): void
}

/** What an administrator says of a table and its columns. */
export function TableForm({ source: { source_id }, table, notes, onClose }: TableFormProps) {
  const words = useWords(tablesWords)
  const common = useWords(dataWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const [said, setSaid] = useState(() => toSaid(table, notes))

  const changeColumn = (name: string, part: Partial<Said>) =>
    setSaid((old) => {
      const before = old.columns[name] ?? { description: '', hidden: false }
      return { ...old, columns: { ...old.columns, [name]: { ...before, ...part } } }
    })

  async function save() {
    // Others may have said something meanwhile.
    const newest = await client.data.notes(source_id)
    await client.data.setNotes(source_id, withTable(newest, table.name, said))
    await queries.invalidateQueries({ queryKey: ['data'] })
    toaster.done(common.saved)
  }

  return (
    <FormDialog
      size="wide"
      title={words.describeTitle(table.name)}
      action={common.save}
      onSubmit={save}
      onClose={onClose}
    >
      <TextArea
        label={words.tableMeaning}
        rows={2}
        maxLength={2000}
        placeholder={table.description}
        value={said.description}
        onChange={(event) => setSaid((old) => ({ ...old, description: event.target.value }))}
      />
      <Switch
        label={words.hideTable}
        hint={words.hideHint}
        checked={said.hidden}
        onChange={(hidden) => setSaid((old) => ({ ...old, hidden }))}
      />
      <ul className="flex flex-col gap-2">
        {table.columns.map(({ name, description }) => (
          <li key={name} className="flex flex-wrap items-center gap-2">
            <span className="w-44 min-w-0 shrink-0">
              <Mono text={name} />
            </span>
            <input
              aria-label={words.columnMeaning(name)}
              maxLength={2000}
              placeholder={description}
              value={said.columns[name]?.description ?? ''}
              onChange={(event) => changeColumn(name, { description: event.target.value })}
              className={cx(controlClass, '!w-auto min-w-40 flex-1')}
            />
            <span className="flex items-center gap-1.5 text-sm">
              <TickBox
                label={words.hideColumn(name)}
                state={said.columns[name]?.hidden ? 'all' : 'none'}
                onChange={(hidden) => changeColumn(name, { hidden })}
              />
              <span aria-hidden="true">{words.hide}</span>
            </span>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
