import type { Limit } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useClient } from '../../api/api-context.ts'
import { ConfirmAct } from '../../api/confirm-act.tsx'
import { QueryView } from '../../api/query-view.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/notice.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { AddButton } from '../add-button.tsx'
import { adminWords } from '../admin-words.ts'
import { LimitForm } from './limit-form.tsx'
import { policiesWords } from './policies-words.ts'
import { Subject, Target } from './spoken-of.tsx'

const queryKey = ['limits']

export function LimitsPanel() {
  const words = useWords(policiesWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const client = useClient()
  const [open, setOpen] = useState<'new' | Limit>()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => client.policy.limits({ signal }) })

  const callsOf = ({ max_calls, window_ms }: Limit) =>
    words.calls(formats.number(max_calls), formats.duration(window_ms))
  const columns: Column<Limit>[] = [
    { name: 'calls', head: words.maxCalls, cell: callsOf },
    { name: 'what', head: words.what, cell: (limit) => <Target {...limit} /> },
    { name: 'who', head: words.who, cell: (limit) => <Subject {...limit} /> },
    { name: 'created', head: common.created, cell: (limit) => formats.time(limit.created_at) },
    {
      ...{ name: 'actions', head: common.actions },
      cell: (limit) => (
        <Button size="small" kind="danger" onClick={() => setOpen(limit)}>
          {common.remove}
        </Button>
      ),
    },
  ]
  const add = <AddButton label={words.addLimit} onClick={() => setOpen('new')} />
  const onClose = () => setOpen(undefined)
  return (
    <div className="flex flex-col gap-4">
      <QueryView query={query}>
        {({ limits }) =>
          limits.length === 0 ? (
            <Empty title={words.noLimits} action={add}>
              {words.noLimitsAbout}
            </Empty>
          ) : (
            <>
              <div className="flex justify-end">{add}</div>
              <Table
                caption={words.limits}
                columns={columns}
                rows={limits}
                keyOf={({ limit_id }) => limit_id}
              />
            </>
          )
        }
      </QueryView>
      {open === 'new' && <LimitForm onClose={onClose} />}
      {typeof open === 'object' && (
        <ConfirmAct
          {...{ onClose, reload: [queryKey], done: words.limitRemoved }}
          title={words.removeLimitTitle}
          action={common.remove}
          work={() => client.policy.deleteLimit(open.limit_id)}
        >
          <p>{callsOf(open)}</p>
          <p>{words.removeHolds}</p>
        </ConfirmAct>
      )}
    </div>
  )
}
