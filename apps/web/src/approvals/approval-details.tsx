import type { Approval } from '@dataagent/schema'
import { Link } from '@tanstack/react-router'
import { MessageSquare, Scale } from 'lucide-react'
import { useMe } from '../api/api-context.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { AnswerView, Reask } from './answer-view.tsx'
import { approvalWords } from './approval-words.ts'
import { AskedArgs, AskedDescription } from './asked-call.tsx'
import { DecisionPanel } from './decision-panel.tsx'
import { inboxWords } from './inbox-words.ts'
import { reachOf } from './reach.ts'
import { useRefresh } from './use-approvals.ts'
import type { DecisionState } from './use-decision.ts'

interface ApprovalDetailsProps {
  approval: Approval
  state: DecisionState
  onWhy(): void
}

/** All that is known of an approval, and the ways to answer it or what was answered. */
export function ApprovalDetails({ approval, state, onWhy }: ApprovalDetailsProps) {
  const words = useWords(inboxWords)
  const me = useMe()
  const { action_request, approval_id, session_id, user_id } = approval
  const { args } = action_request
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-3">
      <AskedDescription action={action_request} />
      <AskedArgs action={action_request} />
      {approval.status === 'pending' ? (
        <DecisionPanel {...{ approval_id, args, state }} reach={reachOf(approval, me)} />
      ) : (
        <Answered approval={approval} />
      )}
      <div className="flex flex-wrap gap-2">
        {session_id !== null && user_id === me.user_id && (
          <Link
            to="/c/$sessionId"
            params={{ sessionId: session_id }}
            className="inline-flex min-h-7 items-center gap-1.5 rounded-lg px-2 text-[13px] text-accent hover:bg-raised"
          >
            <MessageSquare aria-hidden="true" className="size-3.5" />
            {words.toChat}
          </Link>
        )}
        <Button
          kind="quiet"
          size="small"
          icon={<Scale aria-hidden="true" className="size-3.5" />}
          onClick={onWhy}
        >
          {words.why}
        </Button>
      </div>
    </div>
  )
}

function Answered({ approval }: { approval: Extract<Approval, { status: 'decided' }> }) {
  const words = useWords(inboxWords)
  const shared = useWords(approvalWords)
  const formats = useFormats()
  const refresh = useRefresh()
  const { approval_id, session_id, decision, via, decided_by, decided_at, used_at } = approval
  const answer = { decision, via, by: decided_by, time: formats.time(decided_at) }
  return (
    <div>
      <AnswerView answer={answer}>
        {session_id === null ? (
          <Reask approval_id={approval_id} onAsked={() => void refresh()} />
        ) : (
          <Notice tone="wait">
            {shared.expired} {shared.expiredRun}
          </Notice>
        )}
      </AnswerView>
      {via === 'person' && decision.type === 'approve' && (
        <p className="text-[13px] text-soft">
          {used_at === null ? words.notUsed : words.usedAt(formats.time(used_at))}
        </p>
      )}
    </div>
  )
}
