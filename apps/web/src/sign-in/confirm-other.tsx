import type { Me } from '@dataagent/schema'
import { useProblem } from '../api/use-problem.ts'
import { Confirm } from '../ui/confirm.tsx'
import { useWords } from '../words/use-words.ts'
import type { OtherPerson } from './open-link.ts'
import { signInWords } from './sign-in-words.ts'

interface ConfirmOtherProps {
  asked: OtherPerson
  onEnter(apiKey: string): Promise<void>
  onClose(): void
}

/** Asks before a link makes one person another. */
export function ConfirmOther({ asked, onEnter, onClose }: ConfirmOtherProps) {
  const words = useWords(signInWords).other
  const toProblem = useProblem()
  const other = toWho(asked.other)
  return (
    <Confirm
      {...{ onClose, toProblem }}
      title={words.title(other)}
      action={words.action(other)}
      onConfirm={() => onEnter(asked.key)}
    >
      <p className="[overflow-wrap:anywhere]">{words.about(toWho(asked.now), other)}</p>
      <p>{words.advice}</p>
    </Confirm>
  )
}

/** Two people may have one name; no two of a tenant have one id. */
function toWho({ name, user_id, tenant_id }: Me): string {
  const id = `${tenant_id}/${user_id}`
  return name === user_id ? id : `${name} (${id})`
}
