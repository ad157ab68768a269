import { isClientError } from '@dataagent/client'
import type { Dataset, Question } from '@dataagent/schema'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ClipboardList, Download, Play, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useClient, useIsAdmin, useMe } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { BackLink } from '../back-link.tsx'
import { evaluationsWords } from '../evaluations-words.ts'
import { StartDialog } from '../runs/start-dialog.tsx'
import { evaluationsKey, pageSize, useDataset, useMayRun } from '../use-evaluations.ts'
import { datasetsWords } from './datasets-words.ts'
import { QuestionForm } from './question-form.tsx'
import { QuestionsTable } from './questions-table.tsx'

const route = getRouteApi('/evaluations/datasets/$datasetId')

/** One set of questions, to be read, changed and run. */
export function DatasetPage() {
  const words = useWords(evaluationsWords)
  const { datasetId } = route.useParams()
  const query = useDataset(datasetId)
  if (query.data) return <Shown dataset={query.data} />
  const isGone = isClientError(query.error, 'not_found')
  return (
    <Page title={isGone ? words.gone : words.datasets} about={<BackLink tab="datasets" />}>
      {isGone ? (
        <Empty icon={<ClipboardList />} title={words.gone}>
          {words.goneAbout}
        </Empty>
      ) : (
        <QueryView query={query}>{() => null}</QueryView>
      )}
    </Page>
  )
}

function Shown({ dataset }: { dataset: Dataset }) {
  const words = useWords(datasetsWords)
  const formats = useFormats()
  const { name, user_id, question_count, updated_at } = dataset
  const mayChange = useMayChange(dataset)
  return (
    <Page
      title={name}
      about={
        <span className="flex flex-col gap-1">
          <BackLink tab="datasets" />
          {words.about(formats.number(question_count), user_id, formats.time(updated_at))}
        </span>
      }
      actions={<Actions dataset={dataset} mayChange={mayChange} />}
    >
      {!mayChange && <Notice>{words.notYours(user_id)}</Notice>}
      <Questions dataset={dataset} mayChange={mayChange} />
    </Page>
  )
}

function useMayChange({ user_id }: Dataset): boolean {
  const { user_id: own, role } = useMe()
  const isAdmin = useIsAdmin()
  return isAdmin || (role === 'user' && own === user_id)
}

function Actions({ dataset, mayChange }: { dataset: Dataset; mayChange: boolean }) {
  const words = useWords(datasetsWords)
  const common = useWords(evaluationsWords)
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const navigate = useNavigate()
  const mayRun = useMayRun()
  const [open, setOpen] = useState<'start' | 'delete'>()
  const { dataset_id, name } = dataset
  const close = () => setOpen(undefined)

  async function download() {
    const response = await client.evaluations.exportDataset(dataset_id)
    saveFile(`${name}.json`, await response.blob(), 'application/json')
  }

  async function remove() {
    await client.evaluations.deleteDataset(dataset_id)
    void navigate({ to: '/evaluations', search: { tab: 'datasets' } })
  }

  return (
    <>
      <Button
        icon={<Download aria-hidden="true" className="size-4" />}
        onClick={() => void download().catch((error) => toaster.failed(toProblem(error)))}
      >
        {common.download}
      </Button>
      {mayChange && (
        <Button
          kind="danger"
          icon={<Trash2 aria-hidden="true" className="size-4" />}
          onClick={() => setOpen('delete')}
        >
          {common.delete}
        </Button>
      )}
      {mayRun && (
        <Button
          kind="primary"
          icon={<Play aria-hidden="true" className="size-4" />}
          onClick={() => setOpen('start')}
        >
          {common.start}
        </Button>
      )}
      {open === 'start' && <StartDialog dataset_id={dataset_id} onClose={close} />}
      {open === 'delete' && (
        <ConfirmAct
          title={words.deleteTitle(name)}
          action={common.delete}
          work={remove}
          done={words.deleted(name)}
          reload={[[evaluationsKey, 'datasets']]}
          onClose={close}
        >
          <p>{words.deleteAbout}</p>
        </ConfirmAct>
      )}
    </>
  )
}

function Questions({ dataset, mayChange }: { dataset: Dataset; mayChange: boolean }) {
  const words = useWords(datasetsWords)
  const common = useWords(evaluationsWords)
  const save = useSave(dataset)
  const toaster = useToaster()
  const [q, setQ] = useState('')
  const [offset, setOffset] = useState(0)
  const [editing, setEditing] = useState<{ question: Question | undefined }>()
  const [deleting, setDeleting] = useState<Question>()
  const { questions } = dataset
  const found = questions.filter((question) => isFound(question, q.trim().toLowerCase()))
  const shown = found.slice(offset, offset + pageSize)

  async function put(question: Question) {
    const old = editing?.question?.question_id
    const changed =
      old === undefined ? [...questions, question] : replaced(questions, old, question)
    await save(changed)
    toaster.done(common.saved)
  }

  async function remove({ question_id }: Question) {
    await save(questions.filter((question) => question.question_id !== question_id))
  }

  return (
    <section className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-2">
        <h2 className="sr-only">{common.questions}</h2>
        <SearchField
          label={words.find}
          value={q}
          onChange={(text) => {
            setQ(text)
            setOffset(0)
          }}
        />
        {mayChange && (
          <Button
            icon={<Plus aria-hidden="true" className="size-4" />}
            onClick={() => setEditing({ question: undefined })}
          >
            {words.add}
          </Button>
        )}
      </div>
      {found.length === 0 ? (
        <Empty title={words.noneFound} />
      ) : (
        <QuestionsTable
          questions={shown}
          onEdit={mayChange ? (question) => setEditing({ question }) : undefined}
          // A set has at least one.
          onDelete={questions.length > 1 ? setDeleting : undefined}
        />
      )}
      <Pager
        {...{ offset, limit: pageSize, total: found.length }}
        count={shown.length}
        onChange={setOffset}
      />
      {editing && (
        <QuestionForm
          question={editing.question}
          onSave={put}
          onClose={() => setEditing(undefined)}
        />
      )}
      {deleting && (
        <ConfirmAct
          title={words.deleteQuestion(deleting.question_id)}
          action={common.delete}
          work={() => remove(deleting)}
          done={words.deleted(deleting.question_id)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{words.deleteQuestionAbout}</p>
        </ConfirmAct>
      )}
    </section>
  )
}

/** Sends the whole set: refused where someone else has changed it meanwhile. */
function useSave({ dataset_id, name, updated_at }: Dataset) {
  const client = useClient()
  const queries = useQueryClient()
  return async (questions: readonly Question[]) => {
    const body = { name, questions: [...questions], updated_at }
    const changed = await client.evaluations.updateDataset(dataset_id, body)
    queries.setQueryData([evaluationsKey, 'dataset', dataset_id], changed)
    await queries.invalidateQueries({ queryKey: [evaluationsKey, 'datasets'] })
  }
}

function replaced(questions: readonly Question[], old: string, by: Question): Question[] {
  return questions.map((question) => (question.question_id === old ? by : question))
}

function isFound({ question_id, question, category, tags }: Question, q: string): boolean {
  if (q === '') return true
  return [question_id, question, category ?? '', ...tags].some((text) =>
    text.toLowerCase().includes(q),
  )
}
