import type { ApprovalScope, JsonObject } from '@dataagent/schema'
import { ChevronDown } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWords } from '../words/use-words.ts'
import { EditArguments, HandOver, RejectForm } from './approval-forms.tsx'
import { approvalWords } from './approval-words.ts'
import type { Reach } from './reach.ts'
import type { DecisionState } from './use-decision.ts'

interface DecisionPanelProps {
  approval_id: string
  args: JsonObject
  reach: Reach
  state: DecisionState
}

/** The ways to answer: the buttons, or the form that one of them opens. */
export function DecisionPanel({ approval_id, args, reach, state }: DecisionPanelProps) {
  const { open, setOpen, busy, problem } = state
  const onClose = () => setOpen(undefined)
  return (
    <>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {open === 'edit' && (
        <EditArguments
          {...{ args, busy, onClose }}
          onAllow={(changed) => state.approve({ args: changed })}
        />
      )}
      {open === 'reject' && <RejectForm {...{ busy, onClose }} onReject={state.reject} />}
      {open === 'hand_over' && <HandOver {...{ approval_id, onClose }} />}
      {open === undefined && <Buttons reach={reach} state={state} />}
    </>
  )
}

function Buttons({ reach, state }: Pick<DecisionPanelProps, 'reach' | 'state'>) {
  const words = useWords(approvalWords)
  const { busy, setOpen, approve } = state
  const { scopes } = reach
  const inChat = scopes.includes('tool') || scopes.includes('server')
  const longer = toItems(scopes, {
    tool: { label: words.thisTool, onSelect: () => approve({ scope: 'tool' }) },
    server: { label: words.thisServer, onSelect: () => approve({ scope: 'server' }) },
    always: { label: words.always, onSelect: () => approve({ scope: 'always' }) },
  })
  return (
    <footer className="flex flex-wrap items-center gap-2">
      <Button kind="good" busy={busy} onClick={() => approve({ scope: 'once' })}>
        {words.once}
      </Button>
      {!inChat && scopes.includes('always') && (
        <Button disabled={busy} onClick={() => approve({ scope: 'always' })}>
          {words.always}
        </Button>
      )}
      {inChat && (
        <Menu
          align="start"
          trigger={
            <Button disabled={busy}>
              {words.session}
              <ChevronDown aria-hidden="true" className="size-4" />
            </Button>
          }
          items={longer}
        />
      )}
      {reach.mayEdit && (
        <Button disabled={busy} onClick={() => setOpen('edit')}>
          {words.edit}
        </Button>
      )}
      <Button
        kind="danger"
        disabled={busy}
        data-decision="reject"
        onClick={() => setOpen('reject')}
      >
        {words.reject}
      </Button>
      {busy && (
        <p role="status" className="text-[13px] text-soft">
          {words.submitting}
        </p>
      )}
      <span className="flex-1" />
      <Button kind="quiet" disabled={busy} onClick={() => setOpen('hand_over')}>
        {words.other}
      </Button>
    </footer>
  )
}

type Longer = Exclude<ApprovalScope, 'once'>

/** What holds for good stands apart from what ends with the chat. */
function toItems(scopes: readonly ApprovalScope[], items: Record<Longer, MenuItem>) {
  const inChat = (['tool', 'server'] as const).filter((scope) => scopes.includes(scope))
  const forGood = scopes.includes('always')
  return [
    ...inChat.map((scope) => items[scope]),
    ...(forGood ? (['line', items.always] as const) : []),
  ]
}
