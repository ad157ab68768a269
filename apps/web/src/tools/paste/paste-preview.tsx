import type { ImportPreview } from '@dataagent/schema'
import { useState } from 'react'
import { useIsAdmin, useMe } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import type { Scope } from '../form/draft.ts'
import { FormFooter } from '../form/footer.tsx'
import { formWords } from '../form/form-words.ts'
import { isNear } from '../form/is-near.ts'
import { namesFiles } from '../form/names-files.ts'
import { useAddServer } from '../form/use-add-server.ts'
import { useTemplates } from '../use-servers.ts'
import { PasteRowView, type RowResult } from './paste-row.tsx'
import { missingIn, type PasteRow, toConfig, toRows, type UsableRow } from './paste-rows.ts'
import { pasteWords } from './paste-words.ts'

interface PastePreviewProps {
  preview: ImportPreview
  onClose(): void
}

/** What was found, to be looked at, completed and added. */
export function PastePreview({ preview, onClose }: PastePreviewProps) {
  const words = useWords(pasteWords)
  const toProblem = useProblem()
  const toaster = useToaster()
  const addServer = useAddServer()
  const mayStart = useMayStart()
  const [rows, setRows] = useState<readonly PasteRow[]>(() => toRows(preview))
  const [results, setResults] = useState<Readonly<Record<number, RowResult>>>({})
  const isAdmin = useIsAdmin()
  const needs = sharingNeededBy(preview)
  const [scope, setScope] = useState<Scope>(isAdmin && needs ? 'tenant' : 'user')
  const [busy, setBusy] = useState(false)

  const isBarred = (row: UsableRow) => !mayStart && 'command' in row.entry.config
  const chosen = rows.filter(
    (row): row is UsableRow =>
      row.kind === 'usable' &&
      row.isIncluded &&
      !isBarred(row) &&
      results[row.id]?.status !== 'added',
  )
  const isComplete = chosen.every((row) => missingIn(row).length === 0 && row.name.trim() !== '')
  const change = (next: PasteRow) =>
    setRows((all) => all.map((row) => (row.id === next.id ? next : row)))

  /** One after the other: the limit is then reached by the last ones. */
  async function addAll() {
    setBusy(true)
    let count = 0
    const note = (id: number, result: RowResult) => setResults((all) => ({ ...all, [id]: result }))
    for (const row of chosen) {
      note(row.id, { status: 'adding' })
      try {
        await addServer(scope, toConfig(row))
        count += 1
        note(row.id, { status: 'added' })
      } catch (error) {
        note(row.id, { status: 'failed', problem: toProblem(error) })
      }
    }
    setBusy(false)
    if (count > 0) toaster.done(words.added(count))
    if (count === chosen.length) onClose()
  }

  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-sm text-soft">
          {words.form(words.forms[preview.form ?? ''] ?? preview.form ?? '')}
        </p>
        <ScopeChoice scope={scope} needs={needs} onChange={setScope} />
      </div>
      <ul aria-label={words.found} className="flex flex-col gap-3">
        {rows.map((row) => (
          <PasteRowView
            key={row.id}
            row={row}
            isBarred={row.kind === 'usable' && isBarred(row)}
            result={results[row.id]}
            onChange={change}
          />
        ))}
      </ul>
      <FormFooter>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          kind="primary"
          busy={busy}
          disabled={chosen.length === 0 || !isComplete}
          onClick={() => void addAll()}
        >
          {words.add(chosen.length)}
        </Button>
      </FormFooter>
    </>
  )
}

/** Whether the caller may start any local command at all; which, the server knows. */
function useMayStart(): boolean {
  const isAdmin = useIsAdmin()
  const { data: templates = [] } = useTemplates()
  return isAdmin || templates.length > 0
}

interface ScopeChoiceProps {
  scope: Scope
  needs: SharingNeed | undefined
  onChange(scope: Scope): void
}

function ScopeChoice({ scope, needs, onChange }: ScopeChoiceProps) {
  const words = useWords(pasteWords)
  const { scopes, ...hints } = useWords(formWords)
  const { role } = useMe()
  if (!useIsAdmin()) return null
  const offered: Scope[] =
    role === 'platform_admin' ? ['user', 'tenant', 'platform'] : ['user', 'tenant']
  return (
    <SelectField
      label={words.scope}
      hint={needs && hints[needs]}
      value={scope}
      onChange={(event) => onChange(event.target.value as Scope)}
    >
      {offered.map((one) => (
        <option key={one} value={one}>
          {scopes[one]}
        </option>
      ))}
    </SelectField>
  )
}

type SharingNeed = 'nearHint' | 'filesHint'

/** Why a server of one person would not work, where that can be seen before it is added. */
function sharingNeededBy({ entries }: ImportPreview): SharingNeed | undefined {
  const configs = entries.flatMap((entry) => ('config' in entry ? entry.config : []))
  if (configs.some((config) => 'url' in config && isNear(config.url))) return 'nearHint'
  return configs.some((config) => 'command' in config && namesFiles(config))
    ? 'filesHint'
    : undefined
}
