import { ShieldQuestion } from 'lucide-react'
import { useRef, useState } from 'react'
import { AnswerView } from '../../approvals/answer-view.tsx'
import { approvalWords } from '../../approvals/approval-words.ts'
import { AskedArgs, AskedDescription, RiskBadge, WhyAsked } from '../../approvals/asked-call.tsx'
import { Countdown } from '../../approvals/countdown.tsx'
import { DecisionPanel } from '../../approvals/decision-panel.tsx'
import { reachOfAction } from '../../approvals/reach.ts'
import { useDecision } from '../../approvals/use-decision.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { useChat } from '../chat-context.ts'
import type { AskedApproval, ToolPart } from '../log/turn.ts'
import { useAskAgain } from './ask-again.ts'
import { useApprovalKeys } from './use-approval-keys.ts'

interface ApprovalCardProps {
  part: ToolPart
  approval: AskedApproval
}

/** What the agent wants to do, and the ways to answer. It stays, with what was decided. */
export function ApprovalCard({ part, approval }: ApprovalCardProps) {
  const formats = useFormats()
  const { answer } = approval
  if (!answer) return <Pending part={part} approval={approval} />
  return (
    <AnswerView answer={{ ...answer, time: formats.clock(answer.at) }}>
      <Expired />
    </AnswerView>
  )
}

/** The turn does not wait any more: its message makes a new one, which asks again. */
function Expired() {
  const words = useWords(approvalWords)
  const askAgain = useAskAgain()
  const [isAsked, setAsked] = useState(false)
  const mayAsk = askAgain !== undefined && !isAsked
  return (
    <Notice
      tone="wait"
      action={
        mayAsk && (
          <Button
            size="small"
            onClick={() => {
              setAsked(true)
              askAgain()
            }}
          >
            {words.askAgain}
          </Button>
        )
      }
    >
      {words.expired} {isAsked ? words.askedTurn : mayAsk ? words.askTurn : words.expiredTurn}
    </Notice>
  )
}

function Pending({ part, approval }: ApprovalCardProps) {
  const words = useWords(approvalWords)
  const chat = useChat()
  const { approval_id, action_request, reason } = approval
  const state = useDecision((decision) => chat.decide(approval_id, decision))
  const card = useRef<HTMLElement>(null)
  const onKeyDown = useApprovalKeys({ card, approval_id, state })
  return (
    <section
      ref={card}
      tabIndex={-1}
      data-waiting-approval={approval_id}
      aria-label={words.title(part.name)}
      onKeyDown={onKeyDown}
      className="flex flex-col gap-3 rounded-xl border-2 border-wait bg-wait-soft/40 p-4"
    >
      <header className="flex flex-wrap items-center gap-2">
        <ShieldQuestion aria-hidden="true" className="size-5 text-wait" />
        <h3 className="font-semibold">
          <PlainText text={words.title(part.name)} />
        </h3>
        {part.server_id && <span className="text-sm text-soft">{words.on(part.server_id)}</span>}
        <RiskBadge action={action_request} />
        <span className="flex-1" />
        {approval.expires_at !== undefined && (
          <Countdown from={approval.asked_at} until={approval.expires_at} />
        )}
      </header>
      {reason !== undefined && <WhyAsked reason={reason} />}
      <AskedDescription action={action_request} />
      <AskedArgs action={action_request} />
      <DecisionPanel
        approval_id={approval_id}
        args={action_request.args}
        reach={reachOfAction(action_request, part.server_id)}
        state={state}
      />
      <p className="hidden text-[13px] text-soft md:block">{words.keys}</p>
    </section>
  )
}
