import type { Fact } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminWords } from '../admin/admin-words.ts'
import { useClient } from '../api/api-context.ts'
import { ConfirmAct } from '../api/confirm-act.tsx'
import { QueryView } from '../api/query-view.tsx'
import { useAct } from '../api/use-act.ts'
import { Button } from '../ui/button.tsx'
import { Empty, Notice } from '../ui/notice.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { memoryWords } from './memory-words.ts'

interface FactsPanelProps {
  assistant_id: string
  /** Of the agent. */
  name: string
}

/** What one agent remembers of the caller. */
export function FactsPanel({ assistant_id, name }: FactsPanelProps) {
  const words = useWords(memoryWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const client = useClient()
  const { act, busy } = useAct()
  const [isAsked, setAsked] = useState(false)
  const queryKey = ['memory', 'of', assistant_id]
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => client.memory.list({ assistant_id }, { signal }),
  })

  function forget({ fact_id }: Fact): void {
    act({
      ...{ name: fact_id, done: words.forgotten, reload: ['memory'] },
      work: () => client.memory.forget(fact_id, { assistant_id }),
    })
  }

  const columns: Column<Fact>[] = [
    { name: 'text', head: words.text, cell: ({ text }) => <PlainText text={text} /> },
    { name: 'by', head: words.by, cell: ({ by }) => words.bys[by] },
    { name: 'created', head: common.created, cell: (fact) => formats.time(fact.created_at) },
    {
      ...{ name: 'actions', head: common.actions },
      cell: (fact) => (
        <Button
          size="small"
          aria-label={words.forgetOne(fact.text.slice(0, 60))}
          busy={busy === fact.fact_id}
          onClick={() => forget(fact)}
        >
          {words.forget}
        </Button>
      ),
    },
  ]
  return (
    <>
      <QueryView query={query}>
        {({ facts, damaged }) => (
          <>
            {damaged > 0 && <Notice tone="wait">{words.damaged(damaged)}</Notice>}
            {facts.length === 0 ? (
              <Empty title={words.empty}>{words.emptyAbout}</Empty>
            ) : (
              <>
                <Table
                  caption={words.facts}
                  columns={columns}
                  rows={facts}
                  keyOf={({ fact_id }) => fact_id}
                />
                <div className="flex justify-end">
                  <Button kind="danger" size="small" onClick={() => setAsked(true)}>
                    {words.clear}
                  </Button>
                </div>
              </>
            )}
          </>
        )}
      </QueryView>
      {isAsked && (
        <ConfirmAct
          title={words.clearTitle(name)}
          action={words.clear}
          work={() => client.memory.clear({ assistant_id })}
          done={words.cleared}
          reload={[['memory']]}
          onClose={() => setAsked(false)}
        >
          <p>{words.clearAbout}</p>
        </ConfirmAct>
      )}
    </>
  )
}
