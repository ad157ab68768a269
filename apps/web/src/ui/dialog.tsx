import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useWords } from '../words/use-words.ts'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { uiWords } from './ui-words.ts'

export interface DialogProps {
  title: string
  onClose(): void
  children: ReactNode
  /** Buttons, below what scrolls. */
  footer?: ReactNode
  size?: 'small' | 'normal' | 'wide'
}

const sizes = { small: 'max-w-md', normal: 'max-w-2xl', wide: 'max-w-5xl' }

/**
 * A modal dialog, open as long as it is rendered. The browser's own element: it keeps the focus,
 * closes with Esc and hides the rest from screen readers without any style of its own.
 */
export function Dialog({ title, onClose, children, footer, size = 'normal' }: DialogProps) {
  const words = useWords(uiWords)
  const ref = useRef<HTMLDialogElement>(null)
  const heading = useId()

  useEffect(() => {
    const dialog = ref.current
    if (dialog && !dialog.open) dialog.showModal()
    return () => dialog?.close()
  }, [])

  return (
    <dialog
      ref={ref}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      className={cx(
        'm-auto max-h-[min(90dvh,60rem)] w-[calc(100%-2rem)] rounded-2xl border border-line',
        'bg-panel p-0 shadow-float',
        sizes[size],
      )}
    >
      <div className="flex max-h-[min(90dvh,60rem)] flex-col">
        <header className="flex items-center justify-between gap-4 border-b border-line px-5 py-3">
          <h2 id={heading} className="text-base font-semibold">
            {title}
          </h2>
          <IconButton label={words.close} onClick={onClose}>
            <X className="size-4" />
          </IconButton>
        </header>
        <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
        {footer && (
          <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
            {footer}
          </footer>
        )}
      </div>
    </dialog>
  )
}
