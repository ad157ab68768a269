import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx.ts'

type NoticeTone = 'info' | 'good' | 'wait' | 'bad'

const looks: Record<NoticeTone, { className: string; Icon: typeof Info }> = {
  info: { className: 'border-info/40 bg-info-soft', Icon: Info },
  good: { className: 'border-good/40 bg-good-soft', Icon: CircleCheck },
  wait: { className: 'border-wait/40 bg-wait-soft', Icon: TriangleAlert },
  bad: { className: 'border-bad/40 bg-bad-soft', Icon: CircleAlert },
}

interface NoticeProps {
  tone?: NoticeTone
  title?: ReactNode
  children?: ReactNode
  /** What can be done about it. */
  action?: ReactNode
}

/** A sentence or two that stay on the page. What went wrong is read aloud at once. */
export function Notice({ tone = 'info', title, children, action }: NoticeProps) {
  const { className, Icon } = looks[tone]
  return (
    <div
      role={tone === 'bad' ? 'alert' : 'status'}
      className={cx('flex gap-3 rounded-xl border px-4 py-3 text-sm', className)}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {title && <p className="font-semibold">{title}</p>}
        {children}
        {action && <div className="mt-2 flex flex-wrap gap-2">{action}</div>}
      </div>
    </div>
  )
}

interface EmptyProps {
  icon?: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
}

/** Where there is nothing yet: what belongs here, and how it comes about. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-2xl border border-dashed border-line px-6 py-12 text-center">
      {icon && (
        <span aria-hidden="true" className="text-soft [&>svg]:size-8">
          {icon}
        </span>
      )}
      <h3 className="font-semibold">{title}</h3>
      {children && <div className="max-w-prose text-sm text-soft">{children}</div>}
      {action && <div className="flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
