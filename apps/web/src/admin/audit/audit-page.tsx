import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { AuditSearch } from '../searches.ts'
import { auditWords } from './audit-words.ts'
import { CallsPanel } from './calls-panel.tsx'
import { ChainPanel } from './chain-panel.tsx'
import { ChangesPanel } from './changes-panel.tsx'

/** What was called and changed, and whether the record of it is whole. */
export function AuditPage() {
  const words = useWords(auditWords)
  const { sections } = useWords(adminWords)
  const [{ tab = 'calls' }, change] = useAddress<AuditSearch>()
  const tabs = [
    { value: 'calls', label: words.tabs.calls, content: <CallsPanel /> },
    { value: 'changes', label: words.tabs.changes, content: <ChangesPanel /> },
    { value: 'chain', label: words.tabs.chain, content: <ChainPanel /> },
  ]
  return (
    <Page title={sections.audit} about={words.about}>
      <Tabs
        label={sections.audit}
        tabs={tabs}
        value={tabs.some(({ value }) => value === tab) ? tab : 'calls'}
        onChange={(next) => change({ tab: next === 'calls' ? undefined : next, offset: undefined })}
      />
    </Page>
  )
}
