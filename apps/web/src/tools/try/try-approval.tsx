import type { ToolView } from '@dataagent/schema'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { tryWords } from './try-words.ts'

/** The approval that a call by hand waits for, to be decided on the spot. */
export function TryApproval({ tool: { server_id, name } }: { tool: ToolView }) {
  const words = useWords(tryWords)
  const client = useClient()
  const toProblem = useProblem()
  const { data } = useQuery({
    queryKey: ['approvals', 'pending'],
    queryFn: ({ signal }) => client.approvals.list({ status: 'pending', limit: 100 }, { signal }),
    refetchInterval: 1000,
    staleTime: 0,
  })
  const deciding = useMutation({
    mutationFn: (asked: { approval_id: string; type: 'approve' | 'reject' }) =>
      client.approvals.decide(asked.approval_id, { type: asked.type }),
  })
  const approval = data?.approvals.find(
    (each) => each.server_id === server_id && each.tool_name === name && each.session_id === null,
  )
  if (!approval) return null
  const decide = (type: 'approve' | 'reject') => () =>
    deciding.mutate({ approval_id: approval.approval_id, type })
  return (
    <Notice
      tone="wait"
      title={words.waiting}
      action={
        <>
          <Button size="small" kind="good" busy={deciding.isPending} onClick={decide('approve')}>
            {words.allow}
          </Button>
          <Button size="small" kind="danger" busy={deciding.isPending} onClick={decide('reject')}>
            {words.reject}
          </Button>
          <Link to="/approvals" className="self-center text-sm text-accent underline">
            {words.approvals}
          </Link>
        </>
      }
    >
      <p>
        <PlainText text={approval.reason} />
      </p>
      <p className="text-soft">{words.waitingAbout}</p>
      {deciding.isError && <p className="text-bad">{toProblem(deciding.error)}</p>}
    </Notice>
  )
}
