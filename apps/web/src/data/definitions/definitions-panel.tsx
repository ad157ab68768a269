import type { DataDefinition } from '@dataagent/schema'
import { BookOpen } from 'lucide-react'
import { useState } from 'react'
import { AddButton } from '../../admin/add-button.tsx'
import { useClient, useIsAdmin } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { Empty } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useWords } from '../../words/use-words.ts'
import { dataWords } from '../data-words.ts'
import { RowActions } from '../row-actions.tsx'
import { useSourceName } from '../source-choice.tsx'
import { useDefinitions } from '../use-data.ts'
import { DefinitionForm } from './definition-form.tsx'
import { definitionsWords } from './definitions-words.ts'

/** What words of the business mean. */
export function DefinitionsPanel() {
  const words = useWords(definitionsWords)
  const isAdmin = useIsAdmin()
  const query = useDefinitions()
  const [open, setOpen] = useState<'new' | DataDefinition>()
  const [removed, setRemoved] = useState<DataDefinition>()
  const columns = useColumns(setOpen, setRemoved)
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-sm text-soft">{words.about}</p>
        {isAdmin && <AddButton label={words.add} onClick={() => setOpen('new')} />}
      </div>
      <QueryView query={query}>
        {(definitions) =>
          definitions.length === 0 ? (
            <Empty icon={<BookOpen />} title={words.empty}>
              {isAdmin ? words.emptyAdmin : words.emptyUser}
            </Empty>
          ) : (
            <Table
              caption={words.list}
              columns={columns}
              rows={definitions}
              keyOf={({ definition_id }) => definition_id}
            />
          )
        }
      </QueryView>
      {open && (
        <DefinitionForm
          definition={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
      {removed && <Removal definition={removed} onClose={() => setRemoved(undefined)} />}
    </div>
  )
}

function useColumns(
  onEdit: (definition: DataDefinition) => void,
  onRemove: (definition: DataDefinition) => void,
): Column<DataDefinition>[] {
  const words = useWords(definitionsWords)
  const common = useWords(dataWords)
  const isAdmin = useIsAdmin()
  const nameOf = useSourceName()
  const columns: Column<DataDefinition>[] = [
    {
      ...{ name: 'term', head: words.term, className: 'font-medium' },
      cell: ({ term }) => <PlainText text={term} />,
    },
    {
      ...{ name: 'meaning', head: words.meaning, className: 'whitespace-pre-wrap' },
      cell: ({ meaning }) => <PlainText text={meaning} />,
    },
    {
      ...{ name: 'source', head: common.source },
      cell: ({ source_id }) => <PlainText text={nameOf(source_id)} />,
    },
  ]
  if (!isAdmin) return columns
  return [
    ...columns,
    {
      ...{ name: 'actions', head: <span className="sr-only">{words.actions}</span> },
      cell: (definition) => (
        <RowActions
          editLabel={words.editOf(definition.term)}
          onEdit={() => onEdit(definition)}
          removeLabel={words.removeOf(definition.term)}
          onRemove={() => onRemove(definition)}
        />
      ),
    },
  ]
}

function Removal(props: { definition: DataDefinition; onClose(): void }) {
  const { term, definition_id } = props.definition
  const words = useWords(definitionsWords)
  const common = useWords(dataWords)
  const client = useClient()
  return (
    <ConfirmAct
      title={words.removeTitle(term)}
      action={common.remove}
      work={() => client.data.deleteDefinition(definition_id)}
      done={common.removed}
      reload={[['data', 'definitions']]}
      onClose={props.onClose}
    >
      <p>{words.removeAbout}</p>
    </ConfirmAct>
  )
}
