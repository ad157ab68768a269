import { useMemo } from 'react'
import { cx } from '../../ui/cx.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { useWords } from '../../words/use-words.ts'
import { serverWords } from './server-words.ts'
import { type DiffLine, toDiffLines } from './to-diff-lines.ts'

interface ValueDiffProps {
  path: string
  before: unknown
  after: unknown
}

const looks: Record<DiffLine['kind'], { mark: string; className: string }> = {
  same: { mark: ' ', className: '' },
  removed: { mark: '−', className: 'bg-bad-soft text-bad' },
  added: { mark: '+', className: 'bg-good-soft text-good' },
}

/** What one place of a definition was, and what it is now. */
export function ValueDiff({ path, before, after }: ValueDiffProps) {
  const words = useWords(serverWords)
  const lines = useMemo(() => toDiffLines(before, after), [before, after])
  return (
    <figure className="overflow-hidden rounded-lg border border-line">
      <figcaption className="bg-raised px-3 py-1.5 font-mono text-[13px] [overflow-wrap:anywhere]">
        <PlainText text={path} />
      </figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="max-h-72 overflow-auto text-[13px] leading-normal whitespace-pre-wrap [overflow-wrap:anywhere]"
      >
        {lines.map(({ kind, text }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is known by its place
          <div key={i} className={cx('px-3', looks[kind].className)}>
            <span className="sr-only">
              {kind === 'removed'
                ? `${words.before}: `
                : kind === 'added'
                  ? `${words.after}: `
                  : ''}
            </span>
            <span aria-hidden="true">{looks[kind].mark} </span>
            {text === undefined ? <em>{words.nothing}</em> : <PlainText text={text} />}
          </div>
        ))}
      </pre>
    </figure>
  )
}
