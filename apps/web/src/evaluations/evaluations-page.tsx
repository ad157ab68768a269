import { getRouteApi } from '@tanstack/react-router'
import { FileUp, Play } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { useWords } from '../words/use-words.ts'
import { DatasetList } from './datasets/dataset-list.tsx'
import { datasetsWords } from './datasets/datasets-words.ts'
import { ImportDialog } from './datasets/import-dialog.tsx'
import type { EvaluationsTab } from './evaluations-search.ts'
import { evaluationsWords } from './evaluations-words.ts'
import { RunList } from './runs/run-list.tsx'
import { StartDialog } from './runs/start-dialog.tsx'
import { useMayRun } from './use-evaluations.ts'

const route = getRouteApi('/evaluations')

/** Sets of questions, and what came of putting them to agents. */
export function EvaluationsPage() {
  const words = useWords(evaluationsWords)
  const { import: importText } = useWords(datasetsWords)
  const { tab = 'datasets', offset = 0 } = route.useSearch()
  const navigate = route.useNavigate()
  const [isImporting, setImporting] = useState(false)
  const [starting, setStarting] = useState<{ dataset_id?: string }>()
  const mayRun = useMayRun()

  const open = (next: EvaluationsTab) => void navigate({ search: { tab: next } })
  const goTo = (next: number) => void navigate({ search: { tab, offset: next } })
  const tabs: Tab[] = [
    {
      value: 'datasets',
      label: words.datasets,
      content: (
        <section>
          <h2 className="sr-only">{words.datasets}</h2>
          <DatasetList
            offset={tab === 'datasets' ? offset : 0}
            onOffset={goTo}
            onImport={() => setImporting(true)}
            onStart={(dataset_id) => setStarting({ dataset_id })}
          />
        </section>
      ),
    },
    {
      value: 'runs',
      label: words.runs,
      content: (
        <section>
          <h2 className="sr-only">{words.runs}</h2>
          <RunList
            offset={tab === 'runs' ? offset : 0}
            onOffset={goTo}
            onDatasets={() => open('datasets')}
          />
        </section>
      ),
    },
  ]
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        mayRun && (
          <>
            <Button
              icon={<FileUp aria-hidden="true" className="size-4" />}
              onClick={() => setImporting(true)}
            >
              {importText}
            </Button>
            <Button
              kind="primary"
              icon={<Play aria-hidden="true" className="size-4" />}
              onClick={() => setStarting({})}
            >
              {words.start}
            </Button>
          </>
        )
      }
    >
      <Tabs
        label={words.tabs}
        tabs={tabs}
        value={tab}
        onChange={(value) => open(value as EvaluationsTab)}
      />
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      {starting && <StartDialog {...starting} onClose={() => setStarting(undefined)} />}
    </Page>
  )
}
