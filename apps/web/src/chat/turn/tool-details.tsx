import type { ReactNode } from 'react'
import { FaultNotice } from '../../data/faults/fault-notice.tsx'
import { toToolFault } from '../../data/faults/to-fault.ts'
import { JsonView } from '../../results/json-view.tsx'
import { ResultView } from '../../results/result-view.tsx'
import { Details, Mono } from '../../ui/details.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import type { ToolPart } from '../log/turn.ts'
import { toolWords } from '../tool-words.ts'
import { DiffView } from './diff-view.tsx'

export interface ToolDetailsProps {
  part: ToolPart
  /** What a helper did for it. */
  children?: ReactNode
}

/** All of a call: what it was given, what it did and gave. */
export function ToolDetails({ part, children }: ToolDetailsProps) {
  const words = useWords(toolWords)
  const formats = useFormats()
  const hasResult = part.result !== undefined
  const fault = toToolFault(part)
  return (
    <div className="flex flex-col gap-4 border-t border-line px-3 py-3">
      <Section title={words.args}>
        {Object.keys(part.args).length === 0 ? (
          <p className="text-sm text-soft">{words.noArgs}</p>
        ) : (
          <JsonView value={part.args} />
        )}
      </Section>
      {part.files.map((file) => (
        <DiffView key={`${file.timestamp} ${file.path}`} file={file} />
      ))}
      {children && <Section title={words.helper}>{children}</Section>}
      {hasResult && (
        <Section title={words.result}>
          {fault && (
            <div className="mb-2">
              <FaultNotice fault={fault} />
            </div>
          )}
          <ResultView result={part.result} name={part.name} about={<About part={part} />} />
        </Section>
      )}
      {part.untrusted.length > 0 && <p className="text-[13px] text-wait">{words.untrusted}</p>}
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-[13px] text-soft">
        <Fact name={words.server} value={part.server_id ?? words.own} />
        {part.duration_ms !== undefined && (
          <Fact name={words.duration} value={formats.duration(part.duration_ms)} />
        )}
        {part.call_id !== undefined && <Fact name={words.callId} value={part.call_id} />}
      </dl>
    </div>
  )
}

function About({ part }: { part: ToolPart }) {
  const words = useWords(toolWords)
  const formats = useFormats()
  const { duration_ms, call_id, server_id } = part
  return (
    <Details
      rows={[
        [words.tool, <Mono key="tool" text={part.name} />],
        [words.server, <Mono key="server" text={server_id ?? words.own} />],
        [words.at, formats.time(part.started_at ?? part.asked_at)],
        [words.duration, duration_ms !== undefined && formats.duration(duration_ms)],
        [words.callId, call_id !== undefined && <Mono key="call" text={call_id} />],
      ]}
    />
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="min-w-0">
      <h4 className="mb-1 text-xs font-semibold text-soft">{title}</h4>
      {children}
    </section>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="flex gap-1">
      <dt>{name}</dt>
      <dd className="font-mono text-ink [overflow-wrap:anywhere]">{value}</dd>
    </div>
  )
}
