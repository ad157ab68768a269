import type { FileOperationEvent } from '@dataagent/schema'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { uiWords } from '../../ui/ui-words.ts'
import { useWords } from '../../words/use-words.ts'
import { toolWords } from '../tool-words.ts'

const linesMax = 60

/** What was changed in a file, line by line. */
export function DiffView({ file }: { file: FileOperationEvent }) {
  const words = useWords(toolWords)
  const common = useWords(uiWords)
  const [isWhole, setWhole] = useState(false)
  const lines = file.diff === '' ? [] : file.diff.replace(/\n$/, '').split('\n')
  const shown = isWhole ? lines : lines.slice(0, linesMax)
  return (
    <figure className="overflow-hidden rounded-lg border border-line">
      <figcaption className="flex items-center gap-2 bg-raised px-3 py-1.5 text-[13px]">
        <FileText aria-hidden="true" className="size-4 shrink-0 text-soft" />
        <span className="min-w-0 flex-1 truncate font-mono">
          <PlainText text={file.path} />
        </span>
        <span className="shrink-0 tabular-nums">
          {words.changed(file.additions, file.deletions)}
        </span>
      </figcaption>
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        <pre tabIndex={0} className="max-h-96 overflow-auto text-[13px] leading-normal">
          {shown.map((line, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
            <div key={i} className={cx('px-3', lineClass(line))}>
              <PlainText text={line === '' ? ' ' : line} />
            </div>
          ))}
        </pre>
      )}
      {shown.length < lines.length && (
        <Button size="small" kind="quiet" onClick={() => setWhole(true)}>
          {common.showAll(String(lines.length))}
        </Button>
      )}
    </figure>
  )
}

function lineClass(line: string): string {
  if (/^(\+\+\+|---|@@)/.test(line)) return 'text-soft'
  if (line.startsWith('+')) return 'bg-good-soft text-good'
  return line.startsWith('-') ? 'bg-bad-soft text-bad' : ''
}
