import { X } from 'lucide-react'
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react'
import { useWords } from '../words/use-words.ts'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { uiWords } from './ui-words.ts'

interface Toast {
  id: number
  tone: 'good' | 'bad'
  text: string
}

/** Says that something was done, or was not. What failed stays until it is put away. */
export interface Toaster {
  done(text: string): void
  failed(text: string): void
}

const ToasterContext = createContext<Toaster | undefined>(undefined)

const shownMs = 5000
const toastsMax = 4

export function useToaster(): Toaster {
  const toaster = use(ToasterContext)
  if (!toaster) throw new Error('ToastProvider is missing')
  return toaster
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const words = useWords(uiWords)
  const [toasts, setToasts] = useState<readonly Toast[]>([])

  const remove = useCallback((id: number) => {
    setToasts((all) => all.filter((toast) => toast.id !== id))
  }, [])

  const toaster = useMemo<Toaster>(() => {
    let next = 0
    const show = (tone: Toast['tone'], text: string) => {
      next += 1
      const id = next
      setToasts((all) => [...all, { id, tone, text }].slice(-toastsMax))
      if (tone === 'good') setTimeout(() => remove(id), shownMs)
    }
    return { done: (text) => show('good', text), failed: (text) => show('bad', text) }
  }, [remove])

  return (
    <ToasterContext value={toaster}>
      {children}
      <div
        aria-live="polite"
        className="pointer-events-none fixed right-4 bottom-4 z-50 flex w-[min(24rem,calc(100%-2rem))] flex-col gap-2"
      >
        {toasts.map(({ id, tone, text }) => (
          <div
            key={id}
            className={cx(
              'pointer-events-auto flex items-center gap-2 rounded-xl border bg-panel py-1.5 pr-1.5 pl-4 text-sm shadow-float',
              tone === 'bad' ? 'border-bad text-bad' : 'border-line',
            )}
          >
            <span className="flex-1 [overflow-wrap:anywhere]">{text}</span>
            <IconButton label={words.dismiss} size="small" onClick={() => remove(id)}>
              <X className="size-4" />
            </IconButton>
          </div>
        ))}
      </div>
    </ToasterContext>
  )
}
