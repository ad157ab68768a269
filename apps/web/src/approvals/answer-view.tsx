import type { Decision } from '@dataagent/schema'
import { type ReactNode, useState } from 'react'
import { useClient, useMe } from '../api/api-context.ts'
import { useProblem } from '../api/use-problem.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import { useWords } from '../words/use-words.ts'
import { approvalWords } from './approval-words.ts'

export interface Answer {
  decision: Decision
  via: 'person' | 'expiry' | 'withdrawal'
  by: string | null
  /** When, in words. */
  time: string
}

interface AnswerViewProps {
  answer: Answer
  /** Where nobody answered in time: how it can be asked again. */
  children: ReactNode
}

/** What was decided, for good. */
export function AnswerView({ answer, children }: AnswerViewProps) {
  const words = useWords(approvalWords)
  const me = useMe()
  if (answer.via === 'expiry') return children
  if (answer.via === 'withdrawal') return <p className="text-sm text-soft">{words.withdrawn}</p>
  const { type, message, args, scope = 'once' } = answer.decision
  const who = answer.by === me.user_id ? words.you : (answer.by ?? '')
  return (
    <p className="text-[13px] text-soft [overflow-wrap:anywhere]">
      {type === 'approve'
        ? `${words.allowed(who, answer.time)} · ${words.scopes[scope]}${args ? ` · ${words.allowedEdited}` : ''}`
        : words.rejected(who, answer.time)}
      {message !== '' && (
        <>
          {': '}
          <PlainText text={message} />
        </>
      )}
    </p>
  )
}

interface ReaskProps {
  approval_id: string
  onAsked(): void
}

/** A call by hand or of an outside program: whoever made it may come back for the answer. */
export function Reask({ approval_id, onAsked }: ReaskProps) {
  const words = useWords(approvalWords)
  const client = useClient()
  const toProblem = useProblem()
  const [state, setState] = useState<'shown' | 'asking' | 'asked'>('shown')
  const [problem, setProblem] = useState<string>()

  async function askAgain() {
    setState('asking')
    try {
      await client.approvals.reask(approval_id)
      setState('asked')
      onAsked()
    } catch (error) {
      setProblem(toProblem(error))
      setState('shown')
    }
  }

  return (
    <Notice
      tone="wait"
      action={
        state !== 'asked' && (
          <Button size="small" busy={state === 'asking'} onClick={() => void askAgain()}>
            {words.askAgain}
          </Button>
        )
      }
    >
      {words.expired}
      {problem && <p className="text-bad">{problem}</p>}
    </Notice>
  )
}
