import type { Approval, ToolView } from '@dataagent/schema'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useClient, useMe } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { AskedArgs, WhyAsked } from '../../approvals/asked-call.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWords } from '../../words/use-words.ts'
import { tryWords } from './try-words.ts'

interface TryApprovalProps {
  tool: ToolView
  /** The call that waits: of others with the same tool nothing is decided here. */
  tool_call_id: string
}

/** The approval that a call by hand waits for, to be decided on the spot. */
export function TryApproval({ tool: { server_id, name }, tool_call_id }: TryApprovalProps) {
  const client = useClient()
  const me = useMe()
  const { data } = useQuery({
    queryKey: ['approvals', 'pending', 'mine'],
    queryFn: ({ signal }) =>
      client.approvals.list({ status: 'pending', mine: 'true', limit: 100 }, { signal }),
    refetchInterval: 1000,
    staleTime: 0,
  })
  const own = data?.approvals.filter(
    (each) =>
      each.server_id === server_id && each.tool_name === name && each.user_id === me.user_id,
  )
  const approval = own?.find((each) => each.tool_call_id === tool_call_id)
  if (approval) return <Waiting approval={approval} />
  return own && own.length > 0 ? <Elsewhere /> : null
}

function Waiting({ approval }: { approval: Approval }) {
  const words = useWords(tryWords)
  const client = useClient()
  const toProblem = useProblem()
  const { approval_id, action_request, reason, user_id } = approval
  const deciding = useMutation({
    mutationFn: (type: 'approve' | 'reject') => client.approvals.decide(approval_id, { type }),
  })
  const busy = deciding.isPending
  return (
    <Notice
      tone="wait"
      title={words.waiting}
      action={
        <>
          <Button size="small" kind="good" busy={busy} onClick={() => deciding.mutate('approve')}>
            {words.allow}
          </Button>
          <Button size="small" kind="danger" busy={busy} onClick={() => deciding.mutate('reject')}>
            {words.reject}
          </Button>
          <ToApprovals />
        </>
      }
    >
      <WhyAsked reason={reason} />
      <p className="text-sm">{words.waitingFor(user_id ?? '')}</p>
      <AskedArgs action={action_request} />
      <p className="text-soft">{words.waitingAbout}</p>
      {deciding.isError && <p className="text-bad">{toProblem(deciding.error)}</p>}
    </Notice>
  )
}

/** The same call was made before, by this page or a program: what waits is in the list. */
function Elsewhere() {
  const words = useWords(tryWords)
  return (
    <Notice tone="wait" title={words.waiting} action={<ToApprovals />}>
      {words.waitingElsewhere}
    </Notice>
  )
}

function ToApprovals() {
  const words = useWords(tryWords)
  return (
    <Link to="/approvals" className="self-center text-sm text-accent underline">
      {words.approvals}
    </Link>
  )
}
