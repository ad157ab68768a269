import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { useAgentChoices } from '../../api/use-choices.ts'
import { SelectField, TextField } from '../../ui/field.tsx'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { datasetsWords } from '../datasets/datasets-words.ts'
import { evaluationsWords } from '../evaluations-words.ts'
import { evaluationsKey, useBaselines, useDatasets } from '../use-evaluations.ts'
import { RunLabel } from './run-label.tsx'
import { runsWords } from './runs-words.ts'
import { SqlSourceField } from './sql-source-field.tsx'

interface StartDialogProps {
  /** Chosen already. */
  dataset_id?: string | undefined
  onClose(): void
}

const most = 200
const listOf = (text: string) =>
  text
    .split(/[,，\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Which questions are put to whom, and how. */
export function StartDialog({ dataset_id, onClose }: StartDialogProps) {
  const words = useWords(runsWords)
  const { start } = useWords(evaluationsWords)
  const { emptyTitle } = useWords(datasetsWords)
  const client = useClient()
  const queries = useQueryClient()
  const toaster = useToaster()
  const navigate = useNavigate()
  const { data: agents = [] } = useAgentChoices()
  const datasets = useDatasets(0, most).data?.datasets
  const baselines = useBaselines() ?? []
  const [fields, setFields] = useState({
    ...{ dataset_id: dataset_id ?? '', assistant_id: '', concurrency: '4', attempts: '1' },
    ...{ max_seconds: '120', baseline_run_id: '', tags: '', categories: '', sql_source: '' },
  })
  const chosen = fields.dataset_id || datasets?.[0]?.dataset_id
  const field = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: ({ target }: { target: { value: string } }) =>
      setFields((old) => ({ ...old, [name]: target.value })),
  })

  async function send() {
    const { run_id } = await client.evaluations.start({
      dataset_id: chosen ?? '',
      assistant_id: fields.assistant_id || null,
      ...{ concurrency: Number(fields.concurrency), attempts: Number(fields.attempts) },
      max_seconds: Number(fields.max_seconds),
      baseline_run_id: fields.baseline_run_id || null,
      sql_source: fields.sql_source || null,
      ...{ tags: listOf(fields.tags), categories: listOf(fields.categories) },
    })
    await queries.invalidateQueries({ queryKey: [evaluationsKey, 'runs'] })
    toaster.done(words.started)
    void navigate({ to: '/evaluations/runs/$runId', params: { runId: run_id } })
  }

  return (
    <FormDialog title={words.startTitle} action={start} onSubmit={send} onClose={onClose}>
      {datasets?.length === 0 && <Notice tone="wait">{emptyTitle}</Notice>}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField label={words.dataset} required {...field('dataset_id')}>
          {datasets?.map(({ dataset_id: id, name, question_count }) => (
            <option key={id} value={id}>
              {name} ({question_count})
            </option>
          ))}
        </SelectField>
        <SelectField label={words.assistant} {...field('assistant_id')}>
          <option value="">{words.defaultAssistant}</option>
          {agents.map(({ assistant_id, name }) => (
            <option key={assistant_id} value={assistant_id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          {...{ required: true, type: 'number', min: 1, max: 20 }}
          label={words.concurrency}
          hint={words.concurrencyHint}
          {...field('concurrency')}
        />
        <TextField
          {...{ required: true, type: 'number', min: 1, max: 20 }}
          label={words.attempts}
          hint={words.attemptsHint}
          {...field('attempts')}
        />
        <TextField
          {...{ required: true, type: 'number', min: 1, max: 3600 }}
          label={words.maxSeconds}
          {...field('max_seconds')}
        />
        <SelectField label={words.baseline} {...field('baseline_run_id')}>
          <option value="">{words.noBaseline}</option>
          {baselines.map((run) => (
            <option key={run.run_id} value={run.run_id}>
              <RunLabel run={run} />
            </option>
          ))}
        </SelectField>
        {chosen !== undefined && (
          <SqlSourceField
            dataset_id={chosen}
            value={fields.sql_source}
            onChange={(sql_source) => setFields((old) => ({ ...old, sql_source }))}
          />
        )}
        <TextField label={words.tags} hint={words.commas} {...field('tags')} />
        <TextField label={words.categories} hint={words.commas} {...field('categories')} />
      </div>
      <p className="text-[13px] text-soft">{words.rights}</p>
    </FormDialog>
  )
}
