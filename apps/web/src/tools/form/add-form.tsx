import type { ServerConfigInput } from '@dataagent/schema'
import { useMemo, useState } from 'react'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useWords } from '../../words/use-words.ts'
import { TestReport } from '../check/check-report.tsx'
import { useDraftTest } from '../check/use-test.ts'
import { ExampleList } from '../example-list.tsx'
import { type Draft, emptyDraft, fromConfig, toConfig } from './draft.ts'
import { findProblems, fromServer, type Problems, problemWords } from './draft-problems.ts'
import { FormFooter } from './footer.tsx'
import { formWords } from './form-words.ts'
import { ServerForm } from './server-form.tsx'
import { fillTemplate, type Template } from './templates.ts'
import { useAddServer } from './use-add-server.ts'

interface AddFormProps {
  config?: ServerConfigInput | undefined
  template?: Template | undefined
  onClose(): void
}

/** A new server, written by hand or begun by an example. */
export function AddForm({ config, template, onClose }: AddFormProps) {
  const words = useWords(formWords)
  const wrong = useWords(problemWords)
  const toaster = useToaster()
  const toProblem = useProblem()
  const addServer = useAddServer()
  const [draft, setDraft] = useState<Draft>(() => begin(config, template))
  const [refused, setRefused] = useState<unknown>()
  const [wasTried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const test = useDraftTest()

  const found = useMemo(() => findProblems(draft, wrong), [draft, wrong])
  const told = useMemo(() => fromServer(refused, wrong), [refused, wrong])
  const problems: Problems = wasTried ? { ...told, ...found } : {}

  function change(next: Draft) {
    setDraft(next)
    setRefused(undefined)
    test.reset()
  }

  /** Whether it can be sent; else the fields say what is missing. */
  function isComplete(): boolean {
    setTried(true)
    return Object.keys(found).length === 0
  }

  async function add() {
    if (!isComplete()) return
    setBusy(true)
    try {
      const { name } = await addServer(draft.scope, toConfig(draft))
      toaster.done(words.added(name))
      onClose()
    } catch (error) {
      setRefused(error)
      setBusy(false)
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void add()
      }}
    >
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_16rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <ServerForm
            draft={draft}
            problems={problems}
            template={template?.name}
            onChange={change}
          />
          {refused !== undefined && <Notice tone="bad">{toProblem(refused)}</Notice>}
          <TestReport test={test} isLocal={draft.transport === 'stdio'} />
        </div>
        <aside aria-label={words.examples} className="flex flex-col gap-2">
          <h3 className="text-sm font-semibold">{words.examples}</h3>
          <ExampleList
            isNarrow
            onUse={(next) => change({ ...fromConfig(next), scope: draft.scope })}
          />
        </aside>
      </div>
      <FormFooter>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button
          busy={test.isPending}
          onClick={() =>
            isComplete() && test.mutate({ scope: draft.scope, config: toConfig(draft) })
          }
        >
          {words.test}
        </Button>
        <Button type="submit" kind="primary" busy={busy}>
          {words.add}
        </Button>
      </FormFooter>
    </form>
  )
}

function begin(config: ServerConfigInput | undefined, template: Template | undefined): Draft {
  if (template) return fillTemplate(emptyDraft(), template, {})
  return config ? fromConfig(config) : emptyDraft()
}
