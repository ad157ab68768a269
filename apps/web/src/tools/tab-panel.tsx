import type { ReactNode } from 'react'

/** What a tab shows, under a heading for who cannot see the tab. */
export function TabPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="sr-only">{title}</h2>
      {children}
    </section>
  )
}
