import { Link } from '@tanstack/react-router'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { RegistrySearch } from '../searches.ts'
import { Matrix } from './matrix.tsx'
import { registryWords } from './registry-words.ts'
import { ServersPanel } from './servers-panel.tsx'
import { ToolsPanel } from './tools-panel.tsx'

/** All servers with how they fare, all tools, and which agent may use which of their tools. */
export function RegistryPage() {
  const words = useWords(registryWords)
  const { sections } = useWords(adminWords)
  const [{ tab = 'servers' }, change] = useAddress<RegistrySearch>()
  return (
    <Page
      title={sections.registry}
      about={words.about}
      actions={
        <Link
          to="/tools"
          className="rounded-lg border border-line bg-panel px-3.5 py-1.5 text-sm font-medium hover:bg-raised"
        >
          {words.addServer}
        </Link>
      }
    >
      <Tabs
        label={sections.registry}
        value={tab === 'matrix' || tab === 'tools' ? tab : 'servers'}
        onChange={(next) =>
          change({ tab: next === 'servers' ? undefined : next, q: undefined, offset: undefined })
        }
        tabs={[
          { value: 'servers', label: words.tabs.servers, content: <ServersPanel /> },
          { value: 'tools', label: words.tabs.tools, content: <ToolsPanel /> },
          { value: 'matrix', label: words.tabs.matrix, content: <Matrix /> },
        ]}
      />
    </Page>
  )
}
