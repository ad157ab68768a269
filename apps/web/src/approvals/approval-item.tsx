import type { Approval } from '@dataagent/schema'
import { type KeyboardEvent, type Ref, useEffect } from 'react'
import { useClient, useMe } from '../api/api-context.ts'
import { Badge } from '../ui/badge.tsx'
import { cx } from '../ui/cx.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { useToaster } from '../ui/toasts.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import { ApprovalDetails } from './approval-details.tsx'
import { answerTones, toAnswerState } from './approval-state.ts'
import { RiskBadge, WhyAsked } from './asked-call.tsx'
import { Countdown } from './countdown.tsx'
import { inboxWords } from './inbox-words.ts'
import { useRefresh } from './use-approvals.ts'
import { useDecision } from './use-decision.ts'

interface ApprovalItemProps {
  approval: Approval
  now: number
  isOpen: boolean
  /** Whether Tab comes here: one of the list does. */
  isCurrent: boolean
  isSelected: boolean
  /** Whether a key is meant for it: not one that was for the one before. */
  takesKey(event: KeyboardEvent): boolean
  onOpen(isOpen: boolean): void
  onFocus(): void
  onSelect(isSelected: boolean): void
  onWhy(): void
  ref?: Ref<HTMLElement>
}

const summaryMax = 240

/** One approval of the list: a line, and all of it once it is opened. */
export function ApprovalItem(props: ApprovalItemProps) {
  const { approval, isOpen, isCurrent, isSelected, onOpen, ref } = props
  const words = useWords(inboxWords)
  const { approval_id, tool_name, action_request } = approval
  const isPending = approval.status === 'pending'
  const state = useSending(approval)
  const hasForm = state.open !== undefined

  // A form that a key has opened is seen.
  useEffect(() => {
    if (hasForm && !isOpen) onOpen(true)
  }, [hasForm, isOpen, onOpen])

  function onKey(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey) return
    if (!props.takesKey(event)) return
    const key = event.key.toLowerCase()
    if (key === 'enter') onOpen(!isOpen)
    else if (key === 'y' && isPending && !state.busy) state.approve({ scope: 'once' })
    else if (key === 'n' && isPending && !state.busy) state.setOpen('reject')
    else return
    event.preventDefault()
  }

  return (
    <article
      ref={ref}
      tabIndex={isCurrent ? 0 : -1}
      aria-label={words.open(tool_name)}
      data-approval={approval_id}
      onKeyDown={onKey}
      onFocus={props.onFocus}
      className={cx(
        'flex flex-col gap-2 rounded-xl border bg-panel p-3',
        isPending ? 'border-wait/50' : 'border-line',
      )}
    >
      <div className="flex items-start gap-2">
        {isPending && (
          <input
            type="checkbox"
            aria-label={words.select(tool_name)}
            checked={isSelected}
            onChange={(event) => props.onSelect(event.target.checked)}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
        )}
        <div className="min-w-0 flex-1">
          <Head {...{ approval, isOpen, onOpen }} />
          <About approval={approval} now={props.now} />
          {!isOpen && (
            <p className="truncate font-mono text-xs text-soft">
              <PlainText text={JSON.stringify(action_request.args).slice(0, summaryMax)} />
            </p>
          )}
        </div>
      </div>
      {isOpen && <ApprovalDetails {...{ approval, state }} onWhy={props.onWhy} />}
    </article>
  )
}

function useSending(approval: Approval) {
  const words = useWords(inboxWords)
  const client = useClient()
  const toaster = useToaster()
  const refresh = useRefresh()
  return useDecision(async (decision) => {
    // Somebody else may have been faster: then the list has it.
    await client.approvals.decide(approval.approval_id, decision).finally(() => void refresh())
    const say = decision.type === 'approve' ? words.allowedOne : words.rejectedOne
    toaster.done(say(approval.tool_name))
  })
}

function Head({
  approval,
  isOpen,
  onOpen,
}: Pick<ApprovalItemProps, 'approval' | 'isOpen' | 'onOpen'>) {
  const words = useWords(inboxWords)
  const { tool_name, server_id, action_request, created_at, expires_at } = approval
  const state = toAnswerState(approval)
  return (
    <h2 className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={isOpen}
        onClick={() => onOpen(!isOpen)}
        className="text-left font-semibold [overflow-wrap:anywhere] hover:text-accent"
      >
        <PlainText text={tool_name} />
      </button>
      <span className="text-soft">
        {server_id === 'dataagent' ? words.own : <PlainText text={words.on(server_id)} />}
      </span>
      <RiskBadge action={action_request} />
      <span className="flex-1" />
      {state ? (
        <Badge tone={answerTones[state]}>{words.states[state]}</Badge>
      ) : (
        <Countdown from={created_at} until={expires_at} />
      )}
    </h2>
  )
}

function About({ approval, now }: Pick<ApprovalItemProps, 'approval' | 'now'>) {
  const words = useWords(inboxWords)
  const formats = useFormats()
  const me = useMe()
  const { user_id, agent_id, created_at, asked, assignee, reason } = approval
  const nameOf = (id: string) => (id === me.user_id ? words.you : id)
  const facts = [
    user_id === null ? words.somebody : nameOf(user_id),
    ...(agent_id === null ? [] : [words.agent(agent_id)]),
    words.asked(formats.ago(created_at, now)),
    ...(asked > 1 ? [words.again(asked)] : []),
    ...(assignee === null ? [] : [words.assigned(nameOf(assignee))]),
  ]
  return (
    <>
      <p className="text-[13px] text-soft [overflow-wrap:anywhere]">
        <PlainText text={facts.join(' · ')} />
      </p>
      <WhyAsked reason={reason} />
    </>
  )
}
