import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

interface StatCardProps {
  title: string
  value: ReactNode
  hint?: ReactNode
  tone?: 'plain' | 'bad' | 'wait'
  /** A small chart. */
  children?: ReactNode
}

const tones = { plain: '', bad: 'text-bad', wait: 'text-wait' }

/** One number that matters, with how it went. */
export function StatCard({ title, value, hint, tone = 'plain', children }: StatCardProps) {
  return (
    <section className="flex min-w-0 flex-col gap-1 rounded-xl border border-line bg-panel p-4">
      <h2 className="text-[13px] font-medium text-soft">{title}</h2>
      <p className={cx('text-2xl font-semibold tabular-nums', tones[tone])}>{value}</p>
      {hint && <div className="text-[13px] text-soft">{hint}</div>}
      {children && <div className="mt-auto pt-2">{children}</div>}
    </section>
  )
}
