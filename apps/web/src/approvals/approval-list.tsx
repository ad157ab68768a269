import type { Approval } from '@dataagent/schema'
import { useMemo, useState } from 'react'
import { useNow } from '../clock/server-clock.ts'
import { useWords } from '../words/use-words.ts'
import { ApprovalItem } from './approval-item.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { inboxWords } from './inbox-words.ts'
import { useListKeys } from './use-list-keys.ts'

interface ApprovalListProps {
  approvals: readonly Approval[]
  /** The one that is open. */
  openId: string | undefined
  onOpen(approval_id: string | undefined): void
  onWhy(approval: Approval): void
}

const everyMs = 10_000

/** The queue: moved through and answered by keys, or by pointer. */
export function ApprovalList({ approvals, openId, onOpen, onWhy }: ApprovalListProps) {
  const words = useWords(inboxWords)
  const now = useNow(everyMs)
  const ids = useMemo(() => approvals.map(({ approval_id }) => approval_id), [approvals])
  const { current, setCurrent, takesKey, refOf } = useListKeys(ids)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const pending = approvals.filter(({ status }) => status === 'pending')

  function select(id: string, isSelected: boolean) {
    setSelected((before) => {
      const next = new Set(before)
      if (isSelected) next.add(id)
      else next.delete(id)
      return next
    })
  }

  return (
    <section aria-label={words.list} className="flex flex-col gap-2">
      {pending.length > 1 && (
        <BulkBar {...{ pending, selected }} onSelect={(chosen) => setSelected(new Set(chosen))} />
      )}
      {approvals.map((approval) => {
        const { approval_id } = approval
        return (
          <ApprovalItem
            key={approval_id}
            ref={refOf(approval_id)}
            {...{ approval, now, takesKey }}
            isOpen={approval_id === openId}
            isCurrent={approval_id === current}
            isSelected={selected.has(approval_id)}
            onOpen={(isOpen) => onOpen(isOpen ? approval_id : undefined)}
            onFocus={() => setCurrent(approval_id)}
            onSelect={(isSelected) => select(approval_id, isSelected)}
            onWhy={() => onWhy(approval)}
          />
        )
      })}
      <p className="hidden text-[13px] text-soft md:block">{words.keys}</p>
    </section>
  )
}
