import type { PendingTool } from '@dataagent/schema'
import { useMutation } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useClient } from '../../api/api-context.ts'
import { useProblem } from '../../api/use-problem.ts'
import { JsonView } from '../../results/json-view.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { useToaster } from '../../ui/toasts.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { useRefresh } from '../use-servers.ts'
import { Findings } from './findings.tsx'
import { serverWords } from './server-words.ts'
import { ValueDiff } from './value-diff.tsx'

/** Definitions that are held back until somebody has looked at the difference. */
export function Waiting({ waiting }: { waiting: readonly PendingTool[] }) {
  const words = useWords(serverWords)
  if (waiting.length === 0) {
    return (
      <Empty icon={<ShieldCheck />} title={words.noneWaits}>
        {words.noneWaitsAbout}
      </Empty>
    )
  }
  return (
    <ul className="flex flex-col gap-4">
      {waiting.map((each) => (
        <WaitingTool key={each.tool.name} waiting={each} />
      ))}
    </ul>
  )
}

function WaitingTool({ waiting: { tool, pending, findings, diff } }: { waiting: PendingTool }) {
  const words = useWords(serverWords)
  const formats = useFormats()
  const client = useClient()
  const toaster = useToaster()
  const toProblem = useProblem()
  const refresh = useRefresh()
  const { server_id, name } = tool
  const deciding = useMutation({
    mutationFn: (decision: 'approve' | 'reject') =>
      client.tools.decide({ server_id, name, version: pending.version, decision }),
    onSuccess: (_, decision) =>
      toaster.done(decision === 'approve' ? words.approved(name) : words.rejected(name)),
    onSettled: refresh,
  })
  const isNew = diff.length === 0
  return (
    <li className="flex flex-col gap-3 rounded-xl border border-line bg-panel p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-mono text-sm font-semibold [overflow-wrap:anywhere]">
          <PlainText text={name} />
        </h3>
        <Badge tone={isNew ? 'info' : 'wait'}>{isNew ? words.newTool : words.changedTool}</Badge>
        <span className="text-[13px] text-soft">
          {words.version(pending.version)} · {words.seen(formats.ago(pending.seen_at))}
        </span>
      </div>
      <Findings findings={findings} />
      {isNew ? (
        <>
          <p className="text-sm whitespace-pre-line [overflow-wrap:anywhere]">
            <PlainText text={pending.definition.description} />
          </p>
          <details className="text-[13px]">
            <summary className="text-soft">{words.definition}</summary>
            <JsonView value={pending.definition} />
          </details>
        </>
      ) : (
        diff.map(({ path, before, after }) => (
          <ValueDiff key={path} path={path} before={before} after={after} />
        ))
      )}
      {deciding.isError && <Notice tone="bad">{toProblem(deciding.error)}</Notice>}
      <div className="flex flex-wrap gap-2">
        <Button
          kind="good"
          busy={deciding.isPending}
          aria-label={`${words.approve}: ${name}`}
          onClick={() => deciding.mutate('approve')}
        >
          {words.approve}
        </Button>
        <Button
          busy={deciding.isPending}
          aria-label={`${words.reject}: ${name}`}
          onClick={() => deciding.mutate('reject')}
        >
          {words.reject}
        </Button>
      </div>
    </li>
  )
}
