import type { JsonObject } from '@dataagent/schema'
import { useState } from 'react'
import { useClient } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { uiWords } from '../ui/ui-words.ts'
import { useWords } from '../words/use-words.ts'
import { approvalWords } from './approval-words.ts'

interface EditArgumentsProps {
  args: JsonObject
  busy: boolean
  onAllow(args: JsonObject): void
  onClose(): void
}

/** Other arguments than those that were asked for. */
export function EditArguments({ args, busy, onAllow, onClose }: EditArgumentsProps) {
  const words = useWords(approvalWords)
  const common = useWords(uiWords)
  const [text, setText] = useState(() => JSON.stringify(args, null, 2))
  const changed = parseObject(text)
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        code
        rows={8}
        label={words.editing}
        value={text}
        problem={changed ? undefined : words.badJson}
        onChange={(event) => setText(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          kind="good"
          busy={busy}
          disabled={!changed}
          onClick={() => changed && onAllow(changed)}
        >
          {words.allowEdited}
        </Button>
        <Button onClick={onClose}>{common.cancel}</Button>
      </div>
    </div>
  )
}

interface RejectFormProps {
  busy: boolean
  onReject(message: string, on_reject: 'end' | 'tell'): void
  onClose(): void
}

/** A no, with a reason, that ends the turn or lets the agent find another way. */
export function RejectForm({ busy, onReject, onClose }: RejectFormProps) {
  const words = useWords(approvalWords)
  const common = useWords(uiWords)
  const [message, setMessage] = useState('')
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        rows={2}
        autoFocus
        maxLength={4000}
        label={words.reason}
        value={message}
        onChange={(event) => setMessage(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button kind="danger" busy={busy} onClick={() => onReject(message, 'end')}>
          {words.rejectEnd}
        </Button>
        <Button busy={busy} onClick={() => onReject(message, 'tell')}>
          {words.rejectTell}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {common.cancel}
        </Button>
      </div>
    </div>
  )
}

/** Somebody else decides: it is in their inbox then. */
export function HandOver({ approval_id, onClose }: { approval_id: string; onClose(): void }) {
  const words = useWords(approvalWords)
  const common = useWords(uiWords)
  const client = useClient()
  const toProblem = useProblem()
  const [user, setUser] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [done, setDone] = useState(false)

  async function handOver() {
    setBusy(true)
    try {
      await client.approvals.handOver(approval_id, user.trim())
      setDone(true)
    } catch (error) {
      setProblem(toProblem(error))
    }
    setBusy(false)
  }

  if (done) {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <p role="status">{words.handedOver(user.trim())}</p>
        <Button size="small" onClick={onClose}>
          {words.decideAnyway}
        </Button>
      </div>
    )
  }
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        void handOver()
      }}
    >
      <TextField
        autoFocus
        required
        label={words.otherUser}
        value={user}
        problem={problem}
        onChange={(event) => setUser(event.target.value)}
      />
      <Button type="submit" kind="primary" busy={busy}>
        {words.handOver}
      </Button>
      <Button onClick={onClose}>{common.cancel}</Button>
    </form>
  )
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}
