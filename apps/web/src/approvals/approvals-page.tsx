import { isClientError } from '@dataagent/client'
import type { Approval } from '@dataagent/schema'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Scale, ShieldCheck } from 'lucide-react'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useIsAdmin } from '../api/api-context.ts'
import { QueryView } from '../api/query-view.tsx'
import { explainWords } from '../explain/explain-words.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { Empty, Notice } from '../ui/notice.tsx'
import { Page } from '../ui/page.tsx'
import { Pager } from '../ui/pager.tsx'
import { useWords } from '../words/use-words.ts'
import { ApprovalList } from './approval-list.tsx'
import { type ApprovalsSearch, type View, views } from './approvals-search.ts'
import { inboxWords } from './inbox-words.ts'
import { NotifyButton } from './notices/notify-button.tsx'
import { SimulatorDialog } from './simulator-dialog.tsx'
import { pageLimit, useApproval, useApprovals } from './use-approvals.ts'

const route = getRouteApi('/approvals')

/** What waits for a person, what was decided, and which rule decides. */
export function ApprovalsPage() {
  const words = useWords(inboxWords)
  const simulator = useWords(explainWords)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { status: view = 'pending', mine = false, offset = 0 } = search
  const [question, setQuestion] = useState<ComponentProps<typeof SimulatorDialog>['question']>()
  const query = useApprovals({ view, mine, offset })
  const change = (next: ApprovalsSearch) => void navigate({ search: next, replace: true })
  const isAdmin = useIsAdmin()
  const onWhy = (approval: Approval) => setQuestion(toQuestion(approval, isAdmin))

  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <>
          <NotifyButton />
          <Button
            icon={<Scale aria-hidden="true" className="size-4" />}
            onClick={() => setQuestion({})}
          >
            {simulator.title}
          </Button>
        </>
      }
    >
      <Filters search={search} onChange={change} />
      {isClientError(query.error, 'forbidden') ? (
        <Notice title={words.forbidden}>{words.forbiddenAbout}</Notice>
      ) : (
        <QueryView query={query}>
          {({ approvals, more }) => (
            <Inbox
              {...{ approvals, view, search, change, onWhy }}
              pager={
                <Pager
                  {...{ offset, limit: pageLimit, count: approvals.length, more }}
                  onChange={(next) => change({ ...search, offset: next })}
                />
              }
            />
          )}
        </QueryView>
      )}
      {question && <SimulatorDialog question={question} onClose={() => setQuestion(undefined)} />}
    </Page>
  )
}

function toQuestion(approval: Approval, isAdmin: boolean) {
  const { server_id, tool_name, agent_id, user_id, action_request } = approval
  return {
    tool: `${server_id}/${tool_name}`,
    agent: agent_id ?? undefined,
    user: (isAdmin && user_id) || undefined,
    args: action_request.args,
  }
}

interface FiltersProps {
  search: ApprovalsSearch
  onChange(search: ApprovalsSearch): void
}

function Filters({ search, onChange }: FiltersProps) {
  const words = useWords(inboxWords)
  const isAdmin = useIsAdmin()
  const { status = 'pending', mine } = search
  const kept = mine ? { mine } : {}
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      <Choice
        label={words.view}
        values={views}
        value={status}
        texts={words.views}
        onChange={(next) => onChange({ ...kept, ...(next !== 'pending' && { status: next }) })}
      />
      {isAdmin && (
        <Choice
          label={words.whose}
          values={['all', 'mine'] as const}
          value={mine ? 'mine' : 'all'}
          texts={words.whoses}
          onChange={(next) =>
            onChange({
              ...(search.status && { status: search.status }),
              ...(next === 'mine' && { mine: true as const }),
            })
          }
        />
      )}
    </div>
  )
}

interface InboxProps {
  approvals: readonly Approval[]
  view: View
  search: ApprovalsSearch
  change(search: ApprovalsSearch): void
  onWhy(approval: Approval): void
  pager: ReactNode
}

function Inbox({ approvals, view, search, change, onWhy, pager }: InboxProps) {
  const { id, ...others } = search
  const isListed = approvals.some(({ approval_id }) => approval_id === id)
  const apart = useApproval(isListed ? undefined : id)
  // The only one is what one came for.
  const only = view === 'pending' && approvals.length === 1 ? approvals[0]?.approval_id : undefined
  const [closed, setClosed] = useState<string>()
  const openId = id ?? (only === closed ? undefined : only)
  const shown = apart.data && !isListed ? [apart.data, ...approvals] : approvals

  function open(next: string | undefined) {
    setClosed(next === undefined ? openId : undefined)
    change(next === undefined ? others : { ...others, id: next })
  }

  return (
    <>
      {id !== undefined && !isListed && apart.isError && <GoneNotice />}
      {shown.length === 0 ? (
        <NoApprovals view={view} />
      ) : (
        <ApprovalList approvals={shown} openId={openId} onOpen={open} onWhy={onWhy} />
      )}
      {pager}
    </>
  )
}

function GoneNotice() {
  const words = useWords(inboxWords)
  return <Notice>{words.gone}</Notice>
}

function NoApprovals({ view }: { view: View }) {
  const words = useWords(inboxWords)
  if (view !== 'pending') {
    return (
      <Empty icon={<ShieldCheck />} title={words.empty}>
        {words.emptyAbout}
      </Empty>
    )
  }
  return (
    <Empty
      icon={<ShieldCheck />}
      title={words.emptyPending}
      action={
        <Link to="/c" className="text-sm text-accent underline">
          {words.toNewChat}
        </Link>
      }
    >
      {words.emptyPendingAbout}
    </Empty>
  )
}
