import type { ConnectionTestResult } from '@dataagent/schema'
import { Circle, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useProblem } from '../../api/use-problem.ts'
import { Notice } from '../../ui/notice.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { FaultText } from '../fault-text.tsx'
import { testWords } from './check-words.ts'
import type { TestState } from './use-test.ts'

interface TestReportProps {
  test: TestState
  /** A command, rather than an address: the advice differs. */
  isLocal: boolean
}

/** How far a test came, step by step with its times, and what to do where it failed. */
export function TestReport({ test, isLocal }: TestReportProps) {
  const words = useWords(testWords)
  const toProblem = useProblem()
  if (test.error) return <Notice tone="bad">{toProblem(test.error)}</Notice>
  if (test.isPending) {
    return (
      <section aria-label={words.report} className="flex flex-col gap-3">
        <p role="status" className="flex items-center gap-2 text-sm text-soft">
          <Spinner /> {words.running}
        </p>
        <Steps steps={waiting} isLocal={isLocal} />
      </section>
    )
  }
  if (!test.data) return null
  const { ok, steps, tool_count = 0, protocol, log = [] } = test.data
  return (
    <section aria-label={words.report} className="flex flex-col gap-3">
      <Notice tone={ok ? 'good' : 'wait'}>
        {ok ? words.ok(tool_count) : words.failed}
        {protocol && <span className="text-soft"> {words.protocol(protocol.version)}</span>}
      </Notice>
      <Steps steps={steps} isLocal={isLocal} />
      {log.length > 0 && (
        <details open={!ok} className="rounded-xl border border-line">
          <summary className="px-3 py-2 text-sm">{words.log}</summary>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
            tabIndex={0}
            className="max-h-48 overflow-auto border-t border-line px-3 py-2 text-[13px]"
          >
            <PlainText text={log.join('\n')} />
          </pre>
        </details>
      )}
    </section>
  )
}

type Step = ConnectionTestResult['steps'][number]
type ShownStep = Omit<Step, 'status'> & { status: Step['status'] | 'waiting' }

const waiting: readonly ShownStep[] = (
  ['start', 'initialize', 'list tools', 'check schemas'] as const
).map((name) => ({ name, status: 'waiting', ms: 0 }))

const icons = {
  ok: <CircleCheck aria-hidden="true" className="size-4 text-good" />,
  failed: <CircleX aria-hidden="true" className="size-4 text-bad" />,
  skipped: <CircleDashed aria-hidden="true" className="size-4 text-soft" />,
  waiting: <Circle aria-hidden="true" className="size-4 text-soft" />,
}

function Steps({ steps, isLocal }: { steps: readonly ShownStep[]; isLocal: boolean }) {
  const words = useWords(testWords)
  const formats = useFormats()
  const way = isLocal ? 'local' : 'remote'
  return (
    <ol className="flex flex-col rounded-xl border border-line">
      {steps.map(({ name, status, ms, message, fault }) => (
        <li key={name} className="border-b border-line px-3 py-2 text-sm last:border-0">
          <div className="flex items-center gap-2">
            {icons[status]}
            <span className="flex-1">{words.steps[name][way]}</span>
            <span className="text-[13px] text-soft">{words.statuses[status]}</span>
            {(status === 'ok' || status === 'failed') && (
              <span className="w-16 text-right text-[13px] text-soft tabular-nums">
                {formats.duration(ms)}
              </span>
            )}
          </div>
          {status === 'failed' && (
            <div className="mt-1 pl-6 text-[13px]">
              {message && (
                <div className="text-bad [overflow-wrap:anywhere]">
                  <FaultText fault={fault} message={message} />
                </div>
              )}
              <p>
                {words.fix}: {words.fixes[name][way]}
              </p>
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}
