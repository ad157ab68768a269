import type { Rule } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { AddButton } from '../add-button.tsx'
import { adminWords } from '../admin-words.ts'
import { policiesWords } from './policies-words.ts'
import { RuleForm } from './rule-form.tsx'
import { RulesTable } from './rules-table.tsx'

const queryKey = ['rules']

export function RulesPanel() {
  const words = useWords(policiesWords)
  const common = useWords(adminWords)
  const client = useClient()
  const [open, setOpen] = useState<'new' | Rule>()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.policy.rules({ signal }),
    refetchInterval: 10_000,
  })

  const add = <AddButton label={words.addRule} onClick={() => setOpen('new')} />
  const onClose = () => setOpen(undefined)
  return (
    <div className="flex flex-col gap-4">
      <QueryView query={query}>
        {({ rules }) =>
          rules.length === 0 ? (
            <Empty title={words.noRules} action={add}>
              {words.noRulesAbout}
            </Empty>
          ) : (
            <>
              <div className="flex justify-end">{add}</div>
              <RulesTable rules={rules} onRemove={setOpen} />
            </>
          )
        }
      </QueryView>
      {open === 'new' && <RuleForm onClose={onClose} />}
      {typeof open === 'object' && (
        <ConfirmAct
          {...{ onClose, reload: [queryKey], done: words.ruleRemoved }}
          title={words.removeRuleTitle}
          action={common.remove}
          work={() => client.policy.deleteRule(open.rule_id)}
        >
          <RulesTable rules={[open]} />
          <p>{words.removeHolds}</p>
        </ConfirmAct>
      )}
    </div>
  )
}
