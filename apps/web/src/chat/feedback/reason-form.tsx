import type { FeedbackRating } from '@dataagent/schema'
import { type FormEvent, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { useWords } from '../../words/use-words.ts'
import { feedbackWords } from './feedback-words.ts'

interface ReasonFormProps {
  rating: FeedbackRating
  busy: boolean
  onSend(reason: string): void
  onClose(): void
}

/** Why somebody thinks so, if they want to say it. */
export function ReasonForm({ rating, busy, onSend, onClose }: ReasonFormProps) {
  const words = useWords(feedbackWords)
  const [reason, setReason] = useState('')

  function send(event: FormEvent) {
    event.preventDefault()
    if (reason.trim() === '') onClose()
    else onSend(reason.trim())
  }

  return (
    <form
      onSubmit={send}
      className="order-last mt-1 flex basis-full flex-wrap items-end gap-2 rounded-xl border border-line bg-panel p-3"
    >
      <TextField
        className="min-w-52 flex-1 text-ink"
        label={words.why[rating]}
        hint={words.whoReads}
        maxLength={2000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <span className="flex gap-2 self-center">
        <Button type="submit" size="small" kind="primary" busy={busy}>
          {words.send}
        </Button>
        <Button size="small" kind="quiet" onClick={onClose}>
          {words.later}
        </Button>
      </span>
    </form>
  )
}
