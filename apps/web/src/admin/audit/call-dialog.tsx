import type { CallRecord } from '@dataagent/schema'
import { useQuery } from '@tanstack/react-query'
import { useClient } from '../../api/api-context.ts'
import { QueryView } from '../../api/query-view.tsx'
import { callTones } from '../../calls/call-status.ts'
import { useDecidedBy } from '../../explain/use-reason.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Details, Mono } from '../../ui/details.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/notice.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { adminWords } from '../admin-words.ts'
import { auditWords } from './audit-words.ts'
import { KeptText } from './kept-text.tsx'

interface CallDialogProps {
  call_id: string
  onClose(): void
}

/** All that is written down of one call. */
export function CallDialog({ call_id, onClose }: CallDialogProps) {
  const words = useWords(auditWords)
  const client = useClient()
  const query = useQuery({
    queryKey: ['audit', 'call', call_id],
    queryFn: ({ signal }) => client.audit.calls({ call_id, limit: 1 }, { signal }),
  })
  return (
    <Dialog title={words.callTitle} size="wide" onClose={onClose}>
      <QueryView query={query}>
        {({ calls: [call] }) => (call ? <Call call={call} /> : <Empty title={words.noCalls} />)}
      </QueryView>
    </Dialog>
  )
}

function Call({ call }: { call: CallRecord }) {
  const words = useWords(auditWords)
  const common = useWords(adminWords)
  const formats = useFormats()
  const toDecidedBy = useDecidedBy()
  const { fields } = words
  const mono = (text: string | null) => text !== null && text !== '' && <Mono text={text} />
  const moment = (at: number) => `${formats.day(at)} ${formats.clock(at)}`
  return (
    <div className="flex flex-col gap-4">
      <Details
        rows={[
          [
            words.status,
            <Badge key="status" tone={callTones[call.status]}>
              {words.statuses[call.status]}
            </Badge>,
          ],
          [common.tool, mono(call.tool_name)],
          [common.server, mono(call.server_id)],
          [common.user, mono(call.user_id)],
          [common.agent, mono(call.agent_id)],
          [fields.source, words.sources[call.source] ?? call.source],
          [words.session, mono(call.session_id)],
          [fields.run, mono(call.run_id)],
          [fields.api_key, mono(call.api_key)],
          [fields.group, mono(call.group_id)],
          [fields.began, moment(call.started_at)],
          [fields.ended, moment(call.ended_at)],
          [words.duration, formats.duration(call.duration_ms)],
          [fields.attempts, formats.number(call.attempts)],
          [fields.decided_by, call.decided_by !== null && toDecidedBy(call.decided_by)],
          [fields.policy, formats.number(call.policy_revision)],
          [fields.approval, mono(call.approval_id)],
          [fields.version, call.schema_version],
          [fields.input, words.checks[call.input_validation] ?? call.input_validation],
          [fields.output, words.checks[call.output_validation] ?? call.output_validation],
          [fields.digest, mono(call.args_digest)],
          [
            words.trace,
            <span key="trace" className="flex flex-wrap items-center gap-2">
              <Mono text={call.trace_id} />
              <CopyButton text={call.trace_id} />
            </span>,
          ],
          [fields.call_id, mono(call.call_id)],
        ]}
      />
      {call.error !== null && <KeptText title={fields.error} text={call.error} />}
      <KeptText title={words.args} text={call.args} />
      <KeptText title={words.result} text={call.result} />
    </div>
  )
}
