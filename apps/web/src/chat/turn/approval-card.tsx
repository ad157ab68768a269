import { ShieldQuestion } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { AnswerView } from '../../approvals/answer-view.tsx'
import { approvalWords } from '../../approvals/approval-words.ts'
import { Countdown } from '../../approvals/countdown.tsx'
import { DecisionPanel } from '../../approvals/decision-panel.tsx'
import { reachOfAction } from '../../approvals/reach.ts'
import { useDecision } from '../../approvals/use-decision.ts'
import { JsonView } from '../../results/json-view.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { useChat } from '../chat-context.ts'
import type { AskedApproval, ToolPart } from '../log/turn.ts'

interface ApprovalCardProps {
  part: ToolPart
  approval: AskedApproval
}

/** What the agent wants to do, and the ways to answer. It stays, with what was decided. */
export function ApprovalCard({ part, approval }: ApprovalCardProps) {
  const formats = useFormats()
  const { answer, approval_id } = approval
  if (!answer) return <Pending part={part} approval={approval} />
  const shown = { ...answer, time: formats.clock(answer.at) }
  return <AnswerView approval_id={approval_id} answer={shown} />
}

function Pending({ part, approval }: ApprovalCardProps) {
  const words = useWords(approvalWords)
  const chat = useChat()
  const state = useDecision((decision) => chat.decide(approval.approval_id, decision))
  const card = useRef<HTMLElement>(null)

  // What waits for a person is where the keys are.
  useEffect(() => card.current?.focus({ preventScroll: true }), [])

  function onKey(event: KeyboardEvent) {
    if (event.target !== card.current || state.busy) return
    const key = event.key.toLowerCase()
    if (key === 'y' || key === 'enter') state.approve({ scope: 'once' })
    else if (key === 'n') state.setOpen('reject')
    else return
    event.preventDefault()
  }

  const { args, description } = approval.action_request
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label={words.title(part.name)}
      onKeyDown={onKey}
      className="flex flex-col gap-3 rounded-xl border-2 border-wait bg-wait-soft/40 p-4"
    >
      <header className="flex flex-wrap items-center gap-2">
        <ShieldQuestion aria-hidden="true" className="size-5 text-wait" />
        <h3 className="font-semibold">
          <PlainText text={words.title(part.name)} />
        </h3>
        {part.server_id && <span className="text-sm text-soft">{words.on(part.server_id)}</span>}
        <span className="flex-1" />
        {approval.expires_at !== undefined && (
          <Countdown from={approval.asked_at} until={approval.expires_at} />
        )}
      </header>
      <p className="text-sm [overflow-wrap:anywhere]">
        <PlainText text={description} />
      </p>
      <div className="rounded-lg border border-line bg-panel p-3">
        <h4 className="mb-1 text-xs font-semibold text-soft">{words.args}</h4>
        <JsonView value={args} />
      </div>
      <DecisionPanel
        approval_id={approval.approval_id}
        args={args}
        reach={reachOfAction(approval.action_request, part.server_id)}
        state={state}
      />
    </section>
  )
}
