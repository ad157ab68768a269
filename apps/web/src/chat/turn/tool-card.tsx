import { Ban, Check, ChevronRight, CircleAlert, Clock, ShieldQuestion } from 'lucide-react'
import { memo, type ReactNode, useRef, useState } from 'react'
import { outcomeWords } from '../../calls/outcome-words.ts'
import { isLong } from '../../results/is-long.ts'
import { toContent } from '../../results/to-content.ts'
import { toTable } from '../../results/to-table.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { createLateView } from '../../ui/create-part.tsx'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useFormats, useWords } from '../../words/use-words.ts'
import { useJumpTo } from '../jump.ts'
import type { ToolPart, ToolState } from '../log/turn.ts'
import { toolWords } from '../tool-words.ts'
import { Elapsed } from './elapsed.tsx'
import type { ToolDetailsProps } from './tool-details.tsx'

const ToolDetails = createLateView(() =>
  import('./tool-details.tsx').then(({ ToolDetails }) => ToolDetails),
)

const icons: Record<ToolState, ReactNode> = {
  asked: <Clock />,
  waiting: <ShieldQuestion />,
  running: <Spinner />,
  ok: <Check />,
  error: <CircleAlert />,
  cancelled: <Ban />,
}

const tones: Record<ToolState, Tone> = {
  ...{ asked: 'plain', waiting: 'wait', running: 'info', ok: 'good', error: 'bad' },
  cancelled: 'plain',
}

const colours: Record<ToolState, string> = {
  ...{ asked: 'text-soft', waiting: 'text-wait', running: 'text-info', ok: 'text-good' },
  ...{ error: 'text-bad', cancelled: 'text-soft' },
}

/** One call of a tool: a line that says what and how it went, and all of it when it is opened. */
export const ToolCard = memo(function ToolCard({ part, children }: ToolDetailsProps) {
  const words = useWords(toolWords)
  const outcomes = useWords(outcomeWords)
  const [isOpen, setOpen] = useState(false)
  const card = useRef<HTMLDetailsElement>(null)
  useJumpTo(part, card, setOpen)
  const outcome = part.outcome === undefined ? words.states[part.state] : outcomes[part.outcome]
  return (
    <details
      ref={card}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="scroll-mt-14 rounded-xl border border-line bg-panel"
    >
      <summary className="flex list-none items-center gap-2 px-3 py-2 text-sm">
        <ChevronRight
          aria-hidden="true"
          className={cx('size-4 shrink-0 text-soft transition-transform', isOpen && 'rotate-90')}
        />
        <span aria-hidden="true" className={cx('shrink-0 [&>svg]:size-4', colours[part.state])}>
          {icons[part.state]}
        </span>
        <span className="shrink-0 font-medium">
          <PlainText text={part.name} />
        </span>
        <span className="min-w-0 flex-1 truncate text-soft">
          <PlainText text={toLine(part.args)} />
        </span>
        <Told part={part} />
        <Badge tone={tones[part.state]}>{outcome}</Badge>
      </summary>
      {isOpen && <ToolDetails part={part}>{children}</ToolDetails>}
    </details>
  )
})

/** How long it has been at work, or what came of it, in a word. */
function Told({ part }: { part: ToolPart }) {
  const words = useWords(toolWords)
  const formats = useFormats()
  if (part.state === 'running') {
    return <Elapsed since={part.started_at ?? part.asked_at} />
  }
  const rows = part.state === 'ok' ? rowsOf(part) : undefined
  return (
    <span className="hidden shrink-0 text-[13px] text-soft sm:inline">
      {rows !== undefined && `${words.rows(formats.number(rows))} · `}
      {part.duration_ms !== undefined && formats.duration(part.duration_ms)}
    </span>
  )
}

const counted = new WeakMap<ToolPart, number | undefined>()

/** Counted once per result. A text that is long to read is read when the card is opened. */
function rowsOf(part: ToolPart): number | undefined {
  if (counted.has(part)) return counted.get(part)
  const count = isLong(part.result) ? undefined : countRows(part.result)
  counted.set(part, count)
  return count
}

function countRows(result: unknown): number | undefined {
  const table = toContent(result)
    .map((block) => (block.kind === 'json' ? toTable(block.value) : undefined))
    .find((each) => each !== undefined)
  return table && (table.total ?? table.rows.length)
}

const lineMax = 120

/** The arguments in a line: the values, which say more than their names. */
function toLine(args: Record<string, unknown>): string {
  const values = Object.values(args).map((value) =>
    (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, lineMax),
  )
  return values.join(' · ').slice(0, lineMax).replace(/\s+/g, ' ')
}
