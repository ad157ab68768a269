import { getRouteApi } from '@tanstack/react-router'
import { useIsAdmin, useMe } from '../api/api-context.ts'
import { Page } from '../ui/page.tsx'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { useWords } from '../words/use-words.ts'
import type { DataTab } from './data-search.ts'
import { dataWords } from './data-words.ts'
import { DefinitionsPanel } from './definitions/definitions-panel.tsx'
import { LogPanel } from './log/log-panel.tsx'
import { QuestionsPanel } from './questions/questions-panel.tsx'
import { SourcesPanel } from './sources/sources-panel.tsx'

const route = getRouteApi('/data')

/** Sources, what their words mean, questions; and what was asked, for who manages or audits it. */
export function DataPage() {
  const words = useWords(dataWords)
  const isAdmin = useIsAdmin()
  const { role } = useMe()
  const { tab = 'sources' } = route.useSearch()
  const navigate = route.useNavigate()
  const tabs: (Tab & { value: DataTab })[] = [
    { value: 'sources', label: words.sources, content: <SourcesPanel /> },
    { value: 'questions', label: words.questions, content: <QuestionsPanel /> },
    { value: 'definitions', label: words.definitions, content: <DefinitionsPanel /> },
  ]
  if (isAdmin || role === 'auditor') {
    tabs.push({ value: 'log', label: words.log, content: <LogPanel /> })
  }
  return (
    <Page title={words.title} about={words.about}>
      <Tabs
        label={words.tabs}
        tabs={tabs}
        value={tabs.some(({ value }) => value === tab) ? tab : 'sources'}
        onChange={(value) => void navigate({ search: { tab: value as DataTab } })}
      />
    </Page>
  )
}
