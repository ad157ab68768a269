import { Explain } from '../../explain/explain.tsx'
import { Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import type { PoliciesSearch } from '../searches.ts'
import { LimitsPanel } from './limits-panel.tsx'
import { policiesWords } from './policies-words.ts'
import { RulesPanel } from './rules-panel.tsx'

/** Rules, limits, and why a call is allowed or not. */
export function PoliciesPage() {
  const words = useWords(policiesWords)
  const { sections } = useWords(adminWords)
  const [{ tab = 'rules', tool, user, agent }, change] = useAddress<PoliciesSearch>()
  const tabs = [
    { value: 'rules', label: words.tabs.rules, content: <RulesPanel /> },
    { value: 'limits', label: words.tabs.limits, content: <LimitsPanel /> },
    {
      value: 'explain',
      label: words.tabs.explain,
      content: <Explain question={{ tool, user, agent }} onAsk={change} />,
    },
  ]
  return (
    <Page title={sections.policies} about={words.about}>
      <Tabs
        label={sections.policies}
        tabs={tabs}
        value={tabs.some(({ value }) => value === tab) ? tab : 'rules'}
        onChange={(next) => change({ tab: next === 'rules' ? undefined : next })}
      />
    </Page>
  )
}
