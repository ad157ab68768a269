import { ChevronRight, Wrench } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useWords } from '../../words/use-words.ts'
import { useWanted } from '../jump.ts'
import type { ToolPart } from '../log/turn.ts'
import { toolWords } from '../tool-words.ts'

interface ToolGroupProps {
  parts: readonly ToolPart[]
  /** Each of them. */
  children: ReactNode
}

/** Many calls in a row: how many and of what, and each of them when it is opened. */
export function ToolGroup({ parts, children }: ToolGroupProps) {
  const words = useWords(toolWords)
  const [isOpen, setOpen] = useState(false)
  useWanted(parts, () => setOpen(true))
  const isRunning = parts.some(({ state }) => state === 'running' || state === 'asked')
  const failed = parts.filter(({ state }) => state === 'error').length
  const names = [...new Set(parts.map(({ name }) => name))].join(', ')
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="rounded-xl border border-line"
    >
      <summary className="flex list-none items-center gap-2 px-3 py-2 text-sm">
        <ChevronRight
          aria-hidden="true"
          className={cx('size-4 shrink-0 text-soft transition-transform', isOpen && 'rotate-90')}
        />
        {isRunning ? <Spinner /> : <Wrench aria-hidden="true" className="size-4 text-soft" />}
        <span className="shrink-0 font-medium">
          {isRunning ? words.groupRunning(parts.length) : words.group(parts.length)}
        </span>
        <span className="min-w-0 flex-1 truncate text-soft">
          <PlainText text={names} />
        </span>
        {failed > 0 && <Badge tone="bad">{words.groupFailed(failed)}</Badge>}
      </summary>
      {isOpen && <div className="flex flex-col gap-2 border-t border-line p-2">{children}</div>}
    </details>
  )
}
