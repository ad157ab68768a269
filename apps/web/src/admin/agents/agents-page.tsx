import type { AgentInfo } from '@dataagent/schema'
import { useState } from 'react'
import { QueryView } from '../../api/query-view.tsx'
import { useAgents } from '../../api/use-choices.ts'
import { Page } from '../../ui/page.tsx'
import { useWords } from '../../words/use-words.ts'
import { AddButton } from '../add-button.tsx'
import { adminWords } from '../admin-words.ts'
import { AgentForm } from './agent-form.tsx'
import { AgentsTable } from './agents-table.tsx'
import { agentsWords } from './agents-words.ts'

/** The agents of the tenant. There is always one: the built-in. */
export function AgentsPage() {
  const words = useWords(agentsWords)
  const { sections } = useWords(adminWords)
  const [open, setOpen] = useState<'new' | AgentInfo>()
  return (
    <Page
      title={sections.agents}
      about={words.about}
      actions={<AddButton label={words.add} onClick={() => setOpen('new')} />}
    >
      <QueryView query={useAgents()}>
        {({ agents }) => <AgentsTable agents={agents} onEdit={setOpen} />}
      </QueryView>
      {open && (
        <AgentForm
          assistant_id={open === 'new' ? undefined : open.assistant_id}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Page>
  )
}
