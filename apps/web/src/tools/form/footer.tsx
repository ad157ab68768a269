import type { ReactNode } from 'react'

/** The buttons of a form within a dialog: always in sight. */
export function FormFooter({ children }: { children: ReactNode }) {
  return (
    <div className="sticky -bottom-4 z-10 -mx-5 mt-4 -mb-4 flex flex-wrap justify-end gap-2 border-t border-line bg-panel px-5 py-3">
      {children}
    </div>
  )
}
