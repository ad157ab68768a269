import type { Rule } from '@dataagent/schema'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { overruledBy } from './overruled.ts'
import { policiesWords } from './policies-words.ts'
import { Subject, Target } from './spoken-of.tsx'

const effectTones: Record<Rule['effect'], Tone> = {
  ...{ allow: 'good', ask: 'wait', deny: 'bad' },
}

interface RulesTableProps {
  rules: readonly Rule[]
  /** Without it they are only shown. */
  onRemove?: (rule: Rule) => void
}

export function RulesTable({ rules, onRemove }: RulesTableProps) {
  const words = useWords(policiesWords)
  const common = useWords(adminWords)
  const columns: Column<Rule>[] = [
    {
      ...{ name: 'effect', head: words.effect },
      cell: ({ effect }) => <Badge tone={effectTones[effect]}>{words.effects[effect]}</Badge>,
    },
    { name: 'what', head: words.what, cell: (rule) => <Target {...rule} /> },
    { name: 'who', head: words.who, cell: (rule) => <Subject {...rule} /> },
    { name: 'tier', head: words.tier, cell: ({ tier }) => words.tiers[tier] },
    {
      ...{ name: 'until', head: words.until },
      cell: (rule) => <Until rule={rule} others={rules} />,
    },
    {
      ...{ name: 'note', head: words.note },
      cell: ({ note, created_by }) => (
        <span className="flex max-w-64 flex-col [overflow-wrap:anywhere]">
          <PlainText text={note} />
          {created_by !== null && (
            <span className="text-[13px] text-soft">{`${words.by} ${created_by}`}</span>
          )}
        </span>
      ),
    },
  ]
  if (onRemove) {
    columns.push({
      ...{ name: 'actions', head: common.actions },
      cell: (rule) => (
        <Button size="small" kind="danger" onClick={() => onRemove(rule)}>
          {common.remove}
        </Button>
      ),
    })
  }
  return (
    <Table caption={words.rules} columns={columns} rows={rules} keyOf={({ rule_id }) => rule_id} />
  )
}

/** For how long it holds, or why it does not. */
function Until({ rule, others }: { rule: Rule; others: readonly Rule[] }) {
  const words = useWords(policiesWords)
  const formats = useFormats()
  const { expires_at, session_id } = rule
  const isOver = expires_at !== null && expires_at <= Date.now()
  const above = isOver ? undefined : overruledBy(rule, others)
  return (
    <span className="flex flex-col items-start gap-0.5">
      {isOver ? (
        <Badge>{words.expired}</Badge>
      ) : (
        <span>{expires_at === null ? words.forever : formats.time(expires_at)}</span>
      )}
      {session_id !== null && (
        <span className="text-[13px] text-soft">{words.inSession(session_id)}</span>
      )}
      {above && (
        <span title={words.overruledBy(above.rule_id)}>
          <Badge tone="wait">{words.overruled}</Badge>
          <span className="sr-only">{words.overruledBy(above.rule_id)}</span>
        </span>
      )}
    </span>
  )
}
