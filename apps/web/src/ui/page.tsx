import type { ReactNode } from 'react'

interface PageProps {
  title: string
  /** One line on what is done here. */
  about?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A page other than the chat: its heading, what can be done, and what it shows. */
export function Page({ title, about, actions, children }: PageProps) {
  return (
    <div className="mx-auto flex w-full max-w-6xl flex-col gap-5 px-4 py-6 sm:px-6">
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold">{title}</h1>
          {about && <p className="max-w-prose text-sm text-soft">{about}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  )
}
