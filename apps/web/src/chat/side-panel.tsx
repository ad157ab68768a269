import { Circle, CircleCheck, CircleDot } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { useFormats, useWords } from '../words/use-words.ts'
import type { ChatView } from './log/chat-log.ts'
import { panelWords } from './panel-words.ts'
import { ResultsTab } from './results-tab.tsx'
import { DiffView } from './turn/diff-view.tsx'

/** What belongs to the chat beside its words: plan, results, files, what happened when. */
export function SidePanel({ view }: { view: ChatView }) {
  const words = useWords(panelWords)
  const [tab, setTab] = useState('plan')
  return (
    <div className="flex h-full flex-col overflow-y-auto px-3">
      <Tabs
        label={words.label}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'plan', label: words.plan, content: <Plan view={view} /> },
          { value: 'results', label: words.results, content: <ResultsTab view={view} /> },
          { value: 'files', label: words.files, content: <Files view={view} /> },
          { value: 'trace', label: words.trace, content: <Trace view={view} /> },
        ]}
      />
    </div>
  )
}

const todoIcons = { pending: Circle, in_progress: CircleDot, completed: CircleCheck }

function Plan({ view }: { view: ChatView }) {
  const words = useWords(panelWords)
  if (view.todos.length === 0) return <p className="text-sm text-soft">{words.noPlan}</p>
  return (
    <ol className="flex flex-col gap-2 text-sm">
      {view.todos.map(({ content, status }, i) => {
        const Icon = todoIcons[status]
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
          <li key={i} className="flex gap-2">
            <Icon aria-hidden="true" className="mt-1 size-4 shrink-0 text-accent" />
            <span className={status === 'completed' ? 'text-soft line-through' : undefined}>
              {content} <span className="sr-only">{words.todo[status]}</span>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function Files({ view }: { view: ChatView }) {
  const words = useWords(panelWords)
  const changed = view.files.filter(({ operation }) => operation !== 'read')
  if (changed.length === 0) return <p className="text-sm text-soft">{words.noFiles}</p>
  return (
    <div className="flex flex-col gap-3">
      {changed.map((file) => (
        <DiffView key={`${file.timestamp} ${file.path}`} file={file} />
      ))}
    </div>
  )
}

const pieceSize = 50

function Trace({ view }: { view: ChatView }) {
  const words = useWords(panelWords)
  const formats = useFormats()
  const [limit, setLimit] = useState(pieceSize)
  if (view.turns.length === 0) return <p className="text-sm text-soft">{words.noTrace}</p>
  return (
    <>
      {view.turns.length > limit && (
        <Button size="small" className="mb-3" onClick={() => setLimit((now) => now + pieceSize)}>
          {words.olderTurns}
        </Button>
      )}
      <ol className="flex flex-col gap-3 text-[13px]">
        {view.turns.slice(-limit).map((turn) => (
          <li key={turn.key}>
            <p className="flex justify-between gap-2 font-medium">
              <span className="truncate">{turn.message?.content ?? '…'}</span>
              <time className="shrink-0 text-soft">{formats.clock(turn.started_at)}</time>
            </p>
            <ul className="mt-1 flex flex-col gap-0.5 border-l border-line pl-2 text-soft">
              {turn.parts.map((part) => (
                <li key={part.key} className="flex justify-between gap-2">
                  <span className="truncate">
                    {part.kind === 'tool' ? part.name : words.kinds[part.kind]}
                  </span>
                  {part.kind === 'tool' && part.duration_ms !== undefined && (
                    <span className="shrink-0 tabular-nums">
                      {formats.duration(part.duration_ms)}
                    </span>
                  )}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </>
  )
}
