import type { ReactNode } from 'react'

interface PanelProps {
  title: string
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page with a heading of its own. */
export function Panel({ title, about, actions, children }: PanelProps) {
  return (
    <section className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-panel p-4">
      <header className="flex flex-wrap items-start justify-between gap-2">
        <div className="min-w-0">
          <h2 className="font-semibold">{title}</h2>
          {about && <p className="max-w-prose text-[13px] text-soft">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </section>
  )
}
