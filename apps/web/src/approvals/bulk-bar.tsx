import { isClientError } from '@dataagent/client'
import type { Approval } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { Button } from '../ui/button.tsx'
import { Confirm } from '../ui/confirm.tsx'
import { TextArea } from '../ui/field.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useWords } from '../words/use-words.ts'
import { inboxWords } from './inbox-words.ts'
import { useRefresh } from './use-approvals.ts'

interface BulkBarProps {
  /** All that wait on this page. */
  pending: readonly Approval[]
  selected: ReadonlySet<string>
  onSelect(ids: readonly string[]): void
}

/** Several at once: they can be rejected together, never allowed. */
export function BulkBar({ pending, selected, onSelect }: BulkBarProps) {
  const words = useWords(inboxWords)
  const [isAsking, setAsking] = useState(false)
  const chosen = pending.filter(({ approval_id }) => selected.has(approval_id))
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-3 px-3 text-sm">
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={chosen.length === pending.length}
          onChange={(event) =>
            onSelect(event.target.checked ? pending.map(({ approval_id }) => approval_id) : [])
          }
          className="size-4 accent-accent"
        />
        {chosen.length > 0 ? words.selected(chosen.length) : words.selectAll}
      </label>
      {chosen.length > 0 && (
        <Button size="small" kind="danger" onClick={() => setAsking(true)}>
          {words.rejectMany}
        </Button>
      )}
      {isAsking && (
        <RejectMany
          approvals={chosen}
          onRejected={() => onSelect([])}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

interface RejectManyProps {
  approvals: readonly Approval[]
  onRejected(): void
  onClose(): void
}

const shownMax = 10

function isOver(error: unknown): boolean {
  return isClientError(error, 'conflict') || isClientError(error, 'not_found')
}

function RejectMany({ approvals, onRejected, onClose }: RejectManyProps) {
  const words = useWords(inboxWords)
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const [message, setMessage] = useState('')
  // The list may change behind the question: what was asked about is what is rejected.
  const [asked, setAsked] = useState(approvals)

  async function reject() {
    const decision = { type: 'reject', message, on_reject: 'end' } as const
    const sent = await Promise.allSettled(
      asked.map(({ approval_id }) => client.approvals.decide(approval_id, decision)),
    )
    await refresh()
    // What is decided, by this or by somebody else meanwhile, is not to be decided again.
    const isLeft = (one: (typeof sent)[number] | undefined) =>
      one?.status === 'rejected' && !isOver(one.reason)
    const failed = sent.find(isLeft)
    setAsked(asked.filter((_, i) => isLeft(sent[i])))
    if (failed?.status === 'rejected') throw failed.reason
    toaster.done(words.rejectedMany(sent.filter(({ status }) => status === 'fulfilled').length))
    onRejected()
  }

  return (
    <Confirm
      title={words.rejectTitle(asked.length)}
      action={words.rejectAction}
      onConfirm={reject}
      {...{ onClose, toProblem }}
    >
      <p>{words.rejectAbout}</p>
      <ul className="list-inside list-disc text-soft">
        {asked.slice(0, shownMax).map(({ approval_id, tool_name, user_id }) => (
          <li key={approval_id}>
            <PlainText text={`${tool_name} · ${user_id ?? words.somebody}`} />
          </li>
        ))}
        {asked.length > shownMax && <li>+ {asked.length - shownMax}</li>}
      </ul>
      <TextArea
        rows={2}
        maxLength={4000}
        label={words.rejectReason}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
    </Confirm>
  )
}
