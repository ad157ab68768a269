import type { ReactNode } from 'react'
import { useProblem } from '../../api/use-problem.ts'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { faultWords } from './fault-words.ts'
import { type Fault, toFault } from './to-fault.ts'

const saidMax = 1_000

interface FaultNoticeProps {
  fault: Fault
  action?: ReactNode
}

/** What happened and what to do, and below it how the source says it. */
export function FaultNotice({ fault: { kind, said }, action }: FaultNoticeProps) {
  const words = useWords(faultWords)
  const [what, advice] = words.told[kind]
  const isOwnWish = kind === 'cancelled'
  return (
    <Notice tone={isOwnWish ? 'info' : 'bad'} title={what} action={action}>
      <p>{advice}</p>
      {said !== '' && !isOwnWish && (
        <>
          <p className="mt-2 text-[13px] text-soft">{words.said}</p>
          <p className="font-mono text-[13px] whitespace-pre-wrap">
            <PlainText text={said.slice(0, saidMax)} />
          </p>
        </>
      )}
    </Notice>
  )
}

interface ProblemNoticeProps {
  error: unknown
  action?: ReactNode
}

/** The same of an error, which may be of something else. */
export function ProblemNotice({ error, action }: ProblemNoticeProps) {
  const toProblem = useProblem()
  const fault = toFault(error)
  if (fault) return <FaultNotice fault={fault} action={action} />
  return (
    <Notice tone="bad" action={action}>
      {toProblem(error)}
    </Notice>
  )
}
