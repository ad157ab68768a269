import type { ApprovalRow } from '../approvals/index.ts'
import type { Tracer } from '../tracing/index.ts'
import type { Admitted } from './underway.ts'

/** The wait for a person as a span of its own, so that nobody takes it for the tool's. */
export async function inApprovalSpan(
  tracer: Pick<Tracer, 'start'>,
  { span: parent }: Admitted,
  { approval_id }: ApprovalRow,
  wait: () => Promise<ApprovalRow>,
): Promise<ApprovalRow> {
  const span = tracer.start('wait_for_approval', {
    parent: parent.context,
    attributes: { 'dataagent.approval_id': approval_id },
  })
  try {
    const row = await wait()
    span.set({
      'dataagent.approval.decision': row.decision ?? 'pending',
      'dataagent.approval.via': row.via ?? undefined,
    })
    return row
  } finally {
    span.end()
  }
}
