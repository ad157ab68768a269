import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useWords } from '../words/use-words.ts'
import { Button, type ButtonProps } from './button.tsx'
import { useToaster } from './toasts.tsx'
import { uiWords } from './ui-words.ts'

interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children' | 'icon'> {
  /** A function where it must be fetched first. */
  text: string | (() => Promise<string>)
  label?: string
}

export function CopyButton({ text, label, ...rest }: CopyButtonProps) {
  const words = useWords(uiWords)
  const toaster = useToaster()
  const [copied, setCopied] = useState(false)

  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  async function copy() {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setCopied(true)
    } catch {
      toaster.failed(words.copyFailed)
    }
  }

  const Icon = copied ? Check : Copy
  return (
    <Button
      kind="quiet"
      size="small"
      {...rest}
      onClick={() => void copy()}
      icon={<Icon aria-hidden="true" className="size-3.5" />}
    >
      <span aria-live="polite">{copied ? words.copied : (label ?? words.copy)}</span>
    </Button>
  )
}
