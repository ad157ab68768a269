import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useFormats, useWords } from '../words/use-words.ts'
import { Button } from './button.tsx'
import { uiWords } from './ui-words.ts'

interface PagerProps {
  offset: number
  limit: number
  /** How many are shown. */
  count: number
  /** Of all, where they are counted. */
  total?: number | undefined
  more?: boolean | undefined
  onChange(offset: number): void
}

/** The way through a list that the server gives in pages. Nothing where one page holds it all. */
export function Pager({ offset, limit, count, total, more, onChange }: PagerProps) {
  const words = useWords(uiWords)
  const formats = useFormats()
  const hasNext = more ?? (total !== undefined && offset + count < total)
  if (offset === 0 && !hasNext) return null
  const all = total === undefined ? '…' : formats.number(total)
  return (
    <nav className="flex items-center justify-end gap-2 text-sm text-soft">
      <span>{words.range(count === 0 ? 0 : offset + 1, offset + count, all)}</span>
      <Button
        size="small"
        disabled={offset === 0}
        icon={<ChevronLeft aria-hidden="true" className="size-4" />}
        onClick={() => onChange(Math.max(0, offset - limit))}
      >
        {words.previous}
      </Button>
      <Button size="small" disabled={!hasNext} onClick={() => onChange(offset + limit)}>
        {words.next}
        <ChevronRight aria-hidden="true" className="size-4" />
      </Button>
    </nav>
  )
}
