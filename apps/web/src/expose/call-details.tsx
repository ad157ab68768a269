import type { CallRecord } from '@dataagent/schema'
import { outcomeWords } from '../calls/outcome-words.ts'
import { Details, Mono } from '../ui/details.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { groupWords } from './group-words.ts'

/** One call as it is recorded. */
export function CallDetails({ call, onClose }: { call: CallRecord; onClose(): void }) {
  const words = useWords(groupWords)
  const outcomes = useWords(outcomeWords)
  const formats = useFormats()
  const mono = (text: string | null) => text && <Mono text={text} />
  return (
    <Dialog title={words.details} onClose={onClose}>
      <Details
        rows={[
          [words.tool, mono(call.tool_name)],
          [words.server, call.server_id],
          [words.caller, call.user_id ?? words.withKey],
          [words.time, formats.time(call.started_at)],
          [words.took, formats.duration(call.duration_ms)],
          [words.status, outcomes[call.status]],
          [words.error, call.error && <PlainText text={messageOf(call.error)} />],
          [words.decided, mono(call.decided_by)],
          [words.approval, mono(call.approval_id)],
          [words.attempts, formats.number(call.attempts)],
          [words.args, mono(call.args)],
          [words.result, mono(call.result)],
          [words.id, mono(call.call_id)],
          [words.trace, mono(call.trace_id)],
        ]}
      />
    </Dialog>
  )
}

/** The words of a fault; the whole of it where it has none. */
function messageOf(error: string): string {
  try {
    const { message } = JSON.parse(error) as { message?: unknown }
    return typeof message === 'string' ? message : error
  } catch {
    return error
  }
}
