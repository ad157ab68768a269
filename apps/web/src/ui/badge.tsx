import type { ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tone = 'plain' | 'good' | 'wait' | 'bad' | 'info' | 'accent'

const tones: Record<Tone, string> = {
  plain: 'bg-raised text-soft',
  good: 'bg-good-soft text-good',
  wait: 'bg-wait-soft text-wait',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  accent: 'bg-accent-soft text-accent',
}

/** A word or number about something. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 rounded-full px-2 py-px text-xs font-medium',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

const dots: Record<Tone, string> = {
  plain: 'bg-soft',
  good: 'bg-good',
  wait: 'bg-wait',
  bad: 'bg-bad',
  info: 'bg-info',
  accent: 'bg-accent',
}

/** A state by colour and, always, by text; `hideText` leaves the text to screen readers. */
export function StateDot(props: { tone: Tone; text: string; hideText?: boolean; pulse?: boolean }) {
  const { tone, text, hideText, pulse } = props
  return (
    <span className="inline-flex items-center gap-1.5 text-sm" title={hideText ? text : undefined}>
      <span
        aria-hidden="true"
        className={cx('size-2 shrink-0 rounded-full', dots[tone], pulse && 'animate-pulse')}
      />
      <span className={hideText ? 'sr-only' : undefined}>{text}</span>
    </span>
  )
}
