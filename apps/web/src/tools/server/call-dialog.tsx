import type { CallRecord } from '@dataagent/schema'
import type { ReactNode } from 'react'
import { outcomeWords } from '../../calls/outcome-words.ts'
import { useFailure } from '../../calls/use-failure.ts'
import { useDecidedBy } from '../../explain/use-reason.ts'
import { ResultView } from '../../results/result-view.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { callsWords } from './calls-words.ts'

interface CallDialogProps {
  call: CallRecord
  onClose(): void
}

/** All that the audit has of one call; secrets are masked in it. */
export function CallDialog({ call, onClose }: CallDialogProps) {
  const words = useWords(callsWords)
  const outcomes = useWords(outcomeWords)
  const formats = useFormats()
  const toDecidedBy = useDecidedBy()
  const toFailure = useFailure()
  const { error, decided_by, schema_version, session_id } = call
  return (
    <Dialog title={words.title(call.tool_name)} onClose={onClose}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
        <Entry name={words.status}>{outcomes[call.status]}</Entry>
        <Entry name={words.time}>
          {formats.time(call.started_at)} · {formats.duration(call.duration_ms)}
        </Entry>
        {error !== null && (
          <Entry name={words.error}>{<PlainText text={toFailure(error)} />}</Entry>
        )}
        {decided_by !== null && <Entry name={words.decidedBy}>{toDecidedBy(decided_by)}</Entry>}
        {schema_version !== null && <Entry name={words.version}>{schema_version}</Entry>}
        {session_id !== null && <Entry name={words.session}>{session_id}</Entry>}
        <Entry name={words.call}>{call.call_id}</Entry>
        <Entry name={words.trace}>{call.trace_id}</Entry>
      </dl>
      {([call.args, call.result] as const).map((text, i) => (
        <section key={i === 0 ? 'args' : 'result'} className="mt-4 flex flex-col gap-1">
          <h3 className="text-sm font-semibold">{i === 0 ? words.args : words.result}</h3>
          {text === null ? (
            <p className="text-sm text-soft">{words.notKept}</p>
          ) : (
            <ResultView result={text} name={call.tool_name} />
          )}
        </section>
      ))}
    </Dialog>
  )
}

function Entry({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-soft">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
